import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { build, type Client, type TestServer } from './helper.ts'
import { succeeded } from './succeeded.ts'

/** The state changes that lead from `borrador` to each state. */
export const way: Record<string, string[]> = {
  borrador: [],
  enviada: ['enviada'],
  autorizada: ['enviada', 'autorizada'],
  pagada: ['enviada', 'autorizada', 'pagada'],
  rechazada: ['enviada', 'rechazada'],
  cancelada: ['cancelada']
}

/** The states of an estimate. */
export const states = Object.keys(way)

/** A server, a Director, and helpers for contracts and estimates. All helpers except `send` throw if the request fails. */
export interface Estimating extends TestServer {
  director: Client
  /** Creates a contract, by default of 1000.00. @returns its id */
  contract: (fields?: object) => Promise<number>
  /** Creates an estimate and moves it to a state. @returns the complete record */
  estimate: (contract: number, fields?: object, state?: string) => Promise<Row>
  /** Sends a PATCH of an estimate. */
  send: (id: number, fields: object, language?: string) => Promise<LightMyRequestResponse>
  /** Changes an estimate. @returns the complete record */
  change: (id: number, fields: object) => Promise<Row>
  /** Reads an estimate. */
  read: (id: number) => Promise<Row>
}

/** Builds a server on a fresh database for tests of estimates. */
export async function estimating (t: Test): Promise<Estimating> {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  let contracts = 0
  const send: Estimating['send'] = async (id, fields, language = 'en') => await director.send('PATCH', `estimates/${id}/`, fields, { 'accept-language': language })
  const change: Estimating['change'] = async (id, fields) => succeeded(await send(id, fields))

  return {
    ...server,
    director,
    contract: async fields => succeeded(await director.post('contracts/', { folio: `E-${++contracts}`, monto: '1000.00', ...fields })).id,
    async estimate (contract, fields, state = 'borrador') {
      let estimate = succeeded(await director.post('estimates/', { contract, ...fields }))
      for (const estado of way[state]) estimate = await change(estimate.id, { estado, ...estado === 'rechazada' ? { motivo_rechazo: 'No' } : {} })
      return estimate
    },
    send,
    change,
    read: async id => succeeded(await director.get(`estimates/${id}/`))
  }
}
