import { changeFeed } from '../resources/feed/feed.ts'
import { resources } from './resources.ts'

/** The change feed of all resources of companies. */
export const changes = changeFeed(resources)

/** A contract and its first estimate, as a device without a connection creates them. */
export const exampleMutations = [
  { id: 1, op: 'create', resource: 'contracts', ref: 'c1', body: { folio: 'CASETA-2' } },
  { id: 2, op: 'create', resource: 'estimates', body: { contract: { ref: 'c1' }, monto: '1000.00' } }
] as const
