import t from 'tap'
import type { Test } from 'tap'
import { decode } from '../../../support/forge.ts'
import { buildOn, logIn, openAgain, openTestDatabase, type Client } from '../../../support/helper.ts'

// Two servers that share only the database. Embedded, they also share its single connection.
const fresh = await openTestDatabase(t)
const here = await buildOn(t, { ...fresh.database, close: async () => {} })
const there = await buildOn(t, await openAgain(fresh))
const { psql } = fresh

/** The answers of both servers to one request; asserts that they are equal. */
async function both ({ access }: Client, method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, payload?: object) {
  return await Promise.all([here, there].map(async app => await app.inject({ method, url: `/api/v1/${path}`, payload, headers: { authorization: `Bearer ${access}` } })))
}

async function expect (t: Test, client: Client, method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, status: number, body: object, what: string) {
  for (const [index, response] of (await both(client, method, path, method === 'GET' ? undefined : {})).entries()) {
    t.equal(response.statusCode, status, `${what}, server ${index + 1}`)
    t.match(response.json(), body, `${what}, server ${index + 1}`)
  }
}

const set = async (email: string, assignment: string) => await psql(`update users set ${assignment} where email = $1`, [email])
const company = async (nombre: string) => (await psql('select id from companies where nombre = $1', [nombre]))[0]?.['id'] as number
const revoked = { code: 'token_not_valid', messages: [{ message: 'Token is blacklisted' }] }

t.test('a session that ends in one server has ended in the other', async (t) => {
  const client = await logIn(here, 'director@demo.example')
  await expect(t, client, 'GET', 'contracts/', 200, { count: 60 }, 'alive')
  await client.post('api-token-revoke/', { refresh: client.refresh })
  await expect(t, client, 'GET', 'contracts/', 401, revoked, 'revoked')

  const bySql = await logIn(there, 'director@demo.example')
  await expect(t, bySql, 'GET', 'contracts/', 200, { count: 60 }, 'alive')
  await psql('update sessions set revoked_at = clock_timestamp() where id = $1', [decode(bySql.access).claims['sid']])
  await expect(t, bySql, 'GET', 'contracts/', 401, revoked, 'revoked by SQL')

  const old = await logIn(there, 'director@demo.example')
  await expect(t, old, 'GET', 'contracts/', 200, { count: 60 }, 'alive')
  await psql("update sessions set expires_at = clock_timestamp() - interval '1 millisecond' where id = $1", [decode(old.access).claims['sid']])
  await expect(t, old, 'GET', 'contracts/', 401, revoked, 'expired')
})

t.test('a token refreshed in one server is spent in the other, and its successor is valid there', async (t) => {
  const client = await logIn(here, 'director@demo.example')
  const [first, second] = await both(client, 'POST', 'api-token-refresh/', { refresh: client.refresh })
  t.equal(first?.statusCode, 200)
  t.strictSame(first?.json(), second?.json(), 'both servers give the same successor')
  await expect(t, { ...client, access: first?.json().access }, 'GET', 'me/', 200, { email: 'director@demo.example' }, 'the successor')
})

t.test('a changed level applies from the next request on', async (t) => {
  const client = await logIn(here, 'coordinador@demo.example')
  const level = async (nivel: number) => await psql("update memberships set nivel_acceso = $1 where user_id = (select id from users where email = 'coordinador@demo.example')", [nivel])
  await expect(t, client, 'POST', 'contracts/', 400, { errors: { folio: [/./] } }, 'level 2 may create')
  await level(1)
  await expect(t, client, 'POST', 'contracts/', 403, { code: 'permission_denied' }, 'level 1 may not')
  await expect(t, client, 'GET', 'me/', 200, { nivel_acceso: 1 }, 'level 1')
  await level(3)
  await expect(t, client, 'DELETE', 'contracts/0/', 404, { code: 'not_found' }, 'level 3 may delete')
  await set('coordinador@demo.example', 'nivel_acceso = 5')
  await expect(t, client, 'POST', 'contracts/', 403, { code: 'permission_denied' }, 'an account level takes precedence over a membership')
  await set('coordinador@demo.example', 'nivel_acceso = null')
  await expect(t, client, 'POST', 'contracts/', 400, { errors: { folio: [/./] } }, 'which applies to the next request')
})

t.test('a changed active company applies from the next request on', async (t) => {
  const client = await logIn(here, 'director@demo.example')
  const [norte, sur] = [await company('Obra Norte'), await company('Obra Sur')]
  await expect(t, client, 'GET', 'contracts/', 200, { count: 60 }, 'Obra Norte')
  t.equal((await client.send('PATCH', 'me/', { company: sur })).statusCode, 200)
  await expect(t, client, 'GET', 'contracts/', 200, { count: 0, results: [] }, 'Obra Sur')
  await expect(t, client, 'GET', 'me/', 200, { company: sur }, 'Obra Sur')
  await set('director@demo.example', 'company_id = null')
  await expect(t, client, 'GET', 'contracts/', 403, { detail: 'You have no active company.', code: 'no_active_company' }, 'no company')
  await set('director@demo.example', `company_id = ${norte}`)
  await expect(t, client, 'GET', 'contracts/', 200, { count: 60 }, 'Obra Norte again')
})

t.test('deleting a membership revokes the access to its company immediately', async (t) => {
  const client = await logIn(here, 'director@otra.example')
  await expect(t, client, 'GET', 'contracts/', 200, { count: 25 }, 'member')
  await psql("delete from memberships where user_id = (select id from users where email = 'director@otra.example')")
  await expect(t, client, 'GET', 'contracts/', 403, { code: 'no_active_company' }, 'no member')
  await expect(t, client, 'GET', 'me/', 200, { company: null, companies: [], nivel_acceso: null }, 'no member')
})

t.test('a Corporativo reaches only companies of their own customer, whichever company is active', async (t) => {
  const client = await logIn(here, 'corporativo@demo.example')
  await expect(t, client, 'GET', 'contracts/', 200, { count: 60 }, 'own')
  await set('corporativo@demo.example', `company_id = ${await company('Otra Uno')}`)
  await expect(t, client, 'GET', 'contracts/', 403, { code: 'no_active_company' }, 'of another customer')
  await expect(t, client, 'GET', 'me/', 200, { company: null, nivel_acceso: 4 }, 'of another customer')
})
