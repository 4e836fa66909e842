import { clientError } from '../errors.ts'
import { askForCompany, knownCompany } from './companies.ts'
import { Scope } from './scope.ts'
import type { ObraClient } from '../types.ts'
import type { Storage } from './types.ts'
import type { Selection } from './selection.ts'

/** The transactions and requests of one user in one company. */
export interface Exchange {
  client: ObraClient
  user: number
  company: number
  selection: Selection
  write: <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>
  /** Ends the synchronization. */
  signal: AbortSignal
  /** Options of a request. */
  request: () => { signal: AbortSignal, fetch: ReturnType<ObraClient['fetchAs']> }
}

/** Time in ms after which an attempt without an answer has failed. */
const maxAttemptMs = 60_000

/** Begins a synchronization for the present user and company. */
export async function beginExchange (client: ObraClient, storage: Storage, selection: Selection, signal: AbortSignal): Promise<Exchange> {
  const as = (user: number | undefined) => {
    const fetch = client.fetchAs(user)
    // A request of openapi-fetch has no time limit of its own.
    const timed = async (input: Request) => await fetch(input, { signal, attemptMs: maxAttemptMs })
    return { signal, fetch: timed }
  }
  const known = client.user === undefined ? undefined : { user: client.user, company: await knownCompany(storage, client.user) }
  const { user, company } = known?.company == null ? await askForCompany(client, as(undefined)) : known
  if (company == null) throw clientError(403, 'no_company', 'The user has no active company.')
  return {
    client,
    user,
    company,
    selection,
    signal,
    write: async work => await storage.transaction('write', async transaction => await work(new Scope(transaction, user, company))),
    request: () => as(user)
  }
}
