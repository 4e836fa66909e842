import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Row } from '../../../../src/database/connection/sql.ts'
import { estimating, type Estimating } from '../../../support/estimating.ts'

/** The fields of a charge after tax, unless others are given. */
export const charge = { tipo: 'pena', motivo: 'Atraso', antes_iva: false }

/** The helpers of estimates, and those of movements. */
export interface Moving extends Estimating {
  /** Sends a POST of a movement. */
  post: (estimate: number, fields: object, language?: string) => Promise<LightMyRequestResponse>
  /** Creates a movement. @returns the complete record */
  move: (estimate: number, fields: object) => Promise<Row>
  /** Sends a PATCH of a movement. */
  patch: (id: number, fields: object) => Promise<LightMyRequestResponse>
  /** Reads a movement. */
  movement: (id: number) => Promise<Row>
  /** Sends and authorizes an estimate. @returns the complete record */
  authorize: (estimate: number) => Promise<Row>
}

/** Builds a server on a fresh database for tests of movements. */
export async function moving (t: Test): Promise<Moving> {
  const server = await estimating(t)
  const { director, change } = server
  const post: Moving['post'] = async (estimate, fields, language = 'en') =>
    await director.post('movimientos/', { estimate, ...charge, ...fields }, { 'accept-language': language })
  return {
    ...server,
    post,
    async move (estimate, fields) {
      const response = await post(estimate, fields)
      if (response.statusCode !== 201) throw new Error(`${response.statusCode}: ${response.body}`)
      return response.json()
    },
    patch: async (id, fields) => await director.send('PATCH', `movimientos/${id}/`, fields),
    movement: async id => (await director.get(`movimientos/${id}/`)).json(),
    async authorize (estimate) {
      await change(estimate, { estado: 'enviada' })
      return await change(estimate, { estado: 'autorizada' })
    }
  }
}
