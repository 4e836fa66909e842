import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { estimating, type Estimating } from './estimating.ts'
import { succeeded } from './succeeded.ts'

/** The state changes that lead from `borrador` to each state of a change order. */
const ways: Record<string, string[]> = {
  borrador: [],
  enviado: ['enviado'],
  autorizado: ['enviado', 'autorizado'],
  firmado: ['enviado', 'autorizado', 'firmado'],
  rechazado: ['enviado', 'rechazado'],
  cancelado: ['cancelado']
}

/** The states of a change order. */
export const convenioStates = Object.keys(ways)

/** What a change to a state needs. */
const needs: Record<string, object> = {
  autorizado: { fecha_autorizacion: '2026-04-20' },
  firmado: { fecha_firma: '2026-05-04' },
  rechazado: { motivo_rechazo: 'Falta el dictamen' }
}

/** A server with helpers for contracts, estimates and change orders. All of them except `send` and `to` throw if the request fails. */
export interface Agreeing extends Estimating {
  /** Creates a change order and moves it to a state. @returns the complete record */
  convenio: (contract: number, fields?: object, state?: string) => Promise<Row>
  /** Sends a PATCH of a change order to a state, with what the state needs. */
  to: (id: number, estado: string, fields?: object) => Promise<LightMyRequestResponse>
  /** Reads a record, such as `convenios/1/`. */
  get: (url: string) => Promise<Row>
}

/** Builds a server on a fresh database for tests of change orders. */
export async function agreeing (t: Test): Promise<Agreeing> {
  const server = await estimating(t)
  const { director } = server
  const to: Agreeing['to'] = async (id, estado, fields) => await director.send('PATCH', `convenios/${id}/`, { estado, ...needs[estado], ...fields })
  return {
    ...server,
    async convenio (contract, fields, state = 'borrador') {
      let made = succeeded(await director.post('convenios/', { contract, ...fields }))
      for (const estado of ways[state] ?? []) made = succeeded(await to(made.id, estado))
      return made
    },
    to,
    get: async url => succeeded(await director.get(url))
  }
}
