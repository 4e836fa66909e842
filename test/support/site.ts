import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { Row } from '../../src/database/connection/sql.ts'
import { build, type Client, type TestServer } from './helper.ts'
import { succeeded } from './succeeded.ts'

/** A row of a catalogue: code, quantity, unit price, and further fields. */
export type CatalogueRow = [clave: string, cantidad: string, precio_unitario: string, more?: object]

/** A contract with its catalogue, and the requests of its estimates. */
export interface Site {
  client: Client
  contract: number
  /** Ids of the concepts by code. */
  conceptos: Record<string, number>
  estimate: (body?: object) => Promise<number>
  /** Adds a measurement. */
  measure: (estimate: number, clave: string, body: object | string) => Promise<Row>
  /** A PATCH of the estimate. */
  patch: (estimate: number, body: object) => Promise<LightMyRequestResponse>
  /** Sends and authorizes the estimate. */
  authorize: (estimate: number) => Promise<Row>
  read: (estimate: number) => Promise<Row>
  /** The lines of the estimate in the report. */
  lines: (estimate: number, query?: string) => Promise<Row[]>
}

let made = 0

/** Makes a contract with a catalogue. @param body of the contract */
export async function newSite ({ as }: TestServer, rows: CatalogueRow[], body: object = {}): Promise<Site> {
  const client = await as('director@demo.example')
  const { id: contract } = succeeded(await client.post('contracts/', { folio: `OBRA-${++made}`, iva_porcentaje: '16.00', ...body }))
  const conceptos: Record<string, number> = {}
  if (rows.length > 0) {
    const items = rows.map(([clave, cantidad, precio, more]) => ({ contract, clave, unidad: 'm3', cantidad, precio_unitario: precio, ...more }))
    for (const { id, clave } of succeeded(await client.post('conceptos/bulk/', { items })).results) conceptos[clave] = id
  }
  const patch: Site['patch'] = async (estimate, body) => await client.send('PATCH', `estimates/${estimate}/`, body)
  return {
    client,
    contract,
    conceptos,
    estimate: async (body = {}) => succeeded(await client.post('estimates/', { contract, ...body })).id,
    measure: async (estimate, clave, body) => succeeded(await client.post('generadores/', { estimate, concepto: conceptos[clave], ...typeof body === 'string' ? { cantidad: body } : body })),
    patch,
    authorize: async (estimate) => {
      succeeded(await patch(estimate, { estado: 'enviada' }))
      return succeeded(await patch(estimate, { estado: 'autorizada' }))
    },
    read: async estimate => succeeded(await client.get(`estimates/${estimate}/`)),
    lines: async (estimate, query = '') => succeeded(await client.get(`estimates/${estimate}/conceptos/?page_size=200&${query}`)).results
  }
}

/** A server, and contracts with catalogues on it. */
export async function buildSites (t: Test): Promise<{ server: TestServer, newSite: (rows: CatalogueRow[], body?: object) => Promise<Site> }> {
  const server = await build(t, { RATE_LIMIT: 'off' })
  return { server, newSite: async (rows, body) => await newSite(server, rows, body) }
}
