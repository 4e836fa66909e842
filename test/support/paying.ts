import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { estimating, type Estimating } from './estimating.ts'
import { succeeded } from './succeeded.ts'

/** The problems of payments. */
export const notDue = { importe: ['A payment must have the sign of por_pagar and be at most as large.'] }
export const notPayable = { estimate: ['Only an estimate that is "autorizada" can be paid, and only if its contract is not "cancelado".'] }

/** A server with helpers for estimates and payments. */
export interface Paying extends Estimating {
  /** An authorized estimate with this neto. */
  due: (neto: string, fields?: object) => Promise<Row>
  /** Sends a payment. */
  pay: (estimate: number, importe: string, more?: object) => Promise<LightMyRequestResponse>
  /** Makes a payment. @throws if the request fails */
  paid: (estimate: number, importe: string, more?: object) => Promise<Row>
  /** Deletes a payment. @returns the status of the answer */
  unpay: (id: number) => Promise<number>
  /** `pagado`, `por_pagar` and `estado` of an estimate. */
  state: (estimate: number) => Promise<unknown[]>
  /** The payments of an estimate, the earliest first. */
  paymentsOf: (estimate: number) => Promise<Row[]>
}

/** The body of a payment. */
export function payment (estimate: number, importe: string, more: object = {}): object {
  return { estimate, importe, fecha: '2026-04-15', ...more }
}

/** Builds a server on a fresh database for tests of payments. */
export async function paying (t: Test): Promise<Paying> {
  const server = await estimating(t)
  const { director, contract, estimate, read } = server
  const pay: Paying['pay'] = async (of, importe, more) => await director.post('pagos/', payment(of, importe, more))
  return {
    ...server,
    due: async (neto, fields) => await estimate(await contract({ monto: neto, iva_porcentaje: '0' }), { monto: neto, ...fields }, 'autorizada'),
    pay,
    paid: async (...payment) => succeeded(await pay(...payment)),
    unpay: async id => (await director.send('DELETE', `pagos/${id}/`)).statusCode,
    async state (of) {
      const { pagado, por_pagar: left, estado } = await read(of)
      return [pagado, left, estado]
    },
    paymentsOf: async of => (await director.get(`pagos/?estimate=${of}&ordering=id`)).json().results
  }
}
