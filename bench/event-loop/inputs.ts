import { largeBodies, largeBulks, largeQueries, routes } from '../../test/support/large-inputs.ts'
import type { Input } from './client.ts'

const api = '/api/v1/'
const item = { folio: 'a', monto: '1', descripcion: 'x', estado: 'vigente' }

/** The most expensive requests of the tests, by name. A generator, because all of them together take much memory. */
export function * inputs (): Generator<[name: string, input: Input]> {
  for (const [method, path, limit, ...fields] of routes) {
    for (const field of fields) {
      for (const [what, body] of Object.entries(largeBodies(limit, field))) yield [`${method} ${path} ${field}: ${what}`, { method, path: api + path, body }]
    }
  }
  for (const path of ['contracts/', 'contracts/1/', 'estimates/']) {
    for (const [what, query] of Object.entries(largeQueries())) yield [`GET ${path} ${what}`, { method: 'GET', path: `${api}${path}?${query}` }]
  }
  for (const [what, body] of Object.entries(largeBulks(item, 'descripcion'))) yield [`POST contracts/bulk/ ${what}`, { method: 'POST', path: `${api}contracts/bulk/`, body }]
}
