import type { Test } from 'tap'
import type { ObraClient } from 'obra/client'
import type { Store } from 'obra/client/sync'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { listen, type ListeningServer } from '../server.ts'
import { synced, type Network } from './phone.ts'

/** A server, a client of its office, and helpers for stores of some of its records. */
export interface Selecting {
  server: ListeningServer
  obra: ObraClient
  /** Creates a contract in the office. @returns its id on the server */
  contract: (folio: string) => Promise<number>
  /** Runs SQL. */
  rows: (text: string) => Promise<Row[]>
}

/** Starts a server for tests of stores that select records. */
export async function selecting (t: Test): Promise<Selecting> {
  const server = await listen(t)
  const { obra } = await synced(t, server)
  return {
    server,
    obra,
    async contract (folio) {
      const { data } = await obra.POST('/api/v1/contracts/', { body: { folio, monto: '1000.00' } })
      if (data === undefined || Array.isArray(data)) throw new Error('no contract')
      return (data as { id: number }).id
    },
    rows: async text => await server.psql(text)
  }
}

/** The folios with a prefix that a store shows. */
export async function foliosOf (store: Store, prefix: string): Promise<string[]> {
  return (await store.contracts.list(({ folio }) => folio.startsWith(prefix))).map(({ folio }) => folio)
}

/** The number of pages of the change feed that a phone has requested. */
export function pagesOf ({ sent }: Network): number {
  return sent.filter(({ path }) => path === '/api/v1/changes/').length
}
