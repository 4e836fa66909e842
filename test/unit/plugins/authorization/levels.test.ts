import t from 'tap'
import { build } from '../../../support/helper.ts'

const { as, psql } = await build(t)
const [{ id: main }] = await psql("select id from contracts where folio = 'ON-2026-001'") as [{ id: number }]
const [{ id: norte }] = await psql("select id from companies where nombre = 'Obra Norte'") as [{ id: number }]

/**
 * Complements the table of access: 403 precedes any lookup, so it is the same for an absent record and for an invalid body. A
 * permitted caller gets these answers.
 */
const columns = ['auxiliar', 'coordinador', 'director', 'corporativo', 'soporte', 'superusuario'] as const
type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const table: Array<[Method, string, unknown, ...number[]]> = [
  //                                                    1    2    3    4    5    6
  ['HEAD', 'contracts/', undefined, 200, 200, 200, 200, 200, 200],
  ['GET', 'contracts/?page=999', undefined, 404, 404, 404, 404, 404, 404],
  ['GET', 'contracts/0/', undefined, 404, 404, 404, 404, 404, 404],
  ['POST', 'contracts/', {}, 403, 400, 400, 400, 403, 400],
  ['POST', 'contracts/', '{"not json', 403, 400, 400, 400, 403, 400],
  ['POST', 'contracts/bulk/', '{"not json', 403, 400, 400, 400, 403, 400],
  ['PUT', `contracts/${main}/`, {}, 403, 400, 400, 400, 403, 400],
  ['PUT', 'contracts/0/', { folio: 'x' }, 403, 404, 404, 404, 403, 404],
  ['PATCH', `contracts/${main}/`, { monto: 'x' }, 403, 400, 400, 400, 403, 400],
  ['PATCH', 'contracts/0/', {}, 403, 404, 404, 404, 403, 404],
  ['DELETE', `contracts/${main}/`, undefined, 403, 403, 409, 409, 403, 409],
  ['DELETE', 'contracts/0/', undefined, 403, 403, 404, 404, 403, 404],
  ['DELETE', 'contracts/x/', undefined, 403, 403, 404, 404, 403, 404],
  ['GET', 'webhooks/0/', undefined, 403, 403, 404, 404, 403, 404],
  ['POST', 'webhooks/', {}, 403, 403, 400, 400, 403, 400],
  ['GET', 'users/0/', undefined, 403, 403, 403, 404, 404, 404],
  ['GET', 'companies/?foo=1', undefined, 403, 403, 403, 400, 400, 400],
  ['POST', 'users/', '{"not json', 403, 403, 403, 400, 403, 400],
  ['POST', 'customers/', {}, 403, 403, 403, 403, 403, 400],
  ['PATCH', 'memberships/0/', { color: 1 }, 403, 403, 403, 404, 403, 404],
  ['DELETE', 'users/0/', undefined, 403, 403, 403, 404, 403, 404]
]

for (const [column, name] of columns.entries()) {
  t.test(`level ${column + 1}, ${name}, has the access of the table`, async (t) => {
    const email = `${name}@demo.example`
    await psql('update users set company_id = $1 where email = $2', [norte, email])
    const client = await as(email)
    for (const [method, path, payload, ...statuses] of table) {
      const status = statuses[column]
      const response = await client.send(method, path, payload, typeof payload === 'string' ? { 'content-type': 'application/json' } : {})
      const what = `${method} ${path} ${JSON.stringify(payload)}`
      t.equal(response.statusCode, status, what)
      if (status === 403) t.strictSame(response.json(), { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }, what)
      if (status === 404 && method !== 'HEAD') t.equal(response.json().code, 'not_found', what)
    }
  })
}

t.test('a 403 is in the caller’s language', async (t) => {
  const client = await as('auxiliar@demo.example')
  t.strictSame((await client.post('contracts/', {}, { 'accept-language': 'es' })).json(), { detail: 'Usted no tiene permiso para realizar esta acción.', code: 'permission_denied' })
})

t.test('without an active company every business route is 403, at any level', async (t) => {
  await psql('update users set company_id = null')
  for (const name of ['sincompania', ...columns]) {
    const client = await as(`${name}@demo.example`)
    for (const [method, path, payload] of table.filter(([method, path]) => method !== 'HEAD' && path.startsWith('contracts'))) {
      const response = await client.send(method, path, payload, typeof payload === 'string' ? { 'content-type': 'application/json' } : {})
      t.equal(response.statusCode, 403, `${name}: ${method} ${path}`)
      t.strictSame(response.json(), { detail: 'You have no active company.', code: 'no_active_company' }, `${name}: ${method} ${path}`)
    }
    t.equal((await client.get('me/')).statusCode, 200, 'me/ is permitted')
  }
  const client = await as('sincompania@demo.example')
  t.equal((await client.get('contracts/', { 'accept-language': 'es' })).json().detail, 'Usted no tiene una empresa activa.')
})
