import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const { as, psql } = await build(t)
const ids = Object.fromEntries((await psql('select nombre, id from companies')).map(({ nombre, id }) => [nombre, id])) as Record<string, number>
const norte = { id: ids['Obra Norte'], nombre: 'Obra Norte' }
const sur = { id: ids['Obra Sur'], nombre: 'Obra Sur' }
const otra = { id: ids['Otra Uno'], nombre: 'Otra Uno' }

t.test('a user reads their own account: name, level, active company, and companies to choose from', async (t) => {
  const at = (nivel: number, ...companies: Array<{ id: number | undefined, nombre: string }>) => companies.map(company => ({ ...company, nivel_acceso: nivel }))
  const expected: Record<string, object> = {
    'auxiliar@demo.example': { nombre: 'Ana Auxiliar', nivel_acceso: 1, company: norte.id, companies: at(1, norte) },
    'coordinador@demo.example': { nombre: 'Carlos Coordinador', nivel_acceso: 2, company: norte.id, companies: at(2, norte) },
    'director@demo.example': { nombre: 'Diana Directora', nivel_acceso: 3, company: norte.id, companies: at(3, norte, sur) },
    'corporativo@demo.example': { nombre: 'Claudia Corporativo', nivel_acceso: 4, company: norte.id, companies: at(4, norte, sur) },
    'soporte@demo.example': { nombre: 'Sergio Soporte', nivel_acceso: 5, company: null, companies: at(5, norte, sur, otra) },
    'superusuario@demo.example': { nombre: 'Susana Superusuario', nivel_acceso: 6, company: null, companies: at(6, norte, sur, otra) },
    'director@otra.example': { nombre: 'Óscar Otra', nivel_acceso: 3, company: otra.id, companies: at(3, otra) },
    'sincompania@demo.example': { nombre: 'Sin Compañía', nivel_acceso: null, company: null, companies: [] }
  }
  for (const [email, me] of Object.entries(expected)) {
    const [{ id }] = await psql('select id from users where email = $1', [email]) as [{ id: number }]
    const response = await (await as(email)).get('me/')
    t.equal(response.statusCode, 200, email)
    t.strictSame(response.json(), { id, email, ...me }, email)
  }
})

t.test('no answer contains the password', async (t) => {
  const { body } = await (await as('director@demo.example')).get('me/')
  t.notMatch(body, /argon2|password|pbkdf2/)
})

t.test('the level is that of the membership in the active company', async (t) => {
  const client = await as('director@demo.example')
  await psql("update memberships set nivel_acceso = 1 where company_id = $1 and user_id = (select id from users where email = 'director@demo.example')", [sur.id])
  t.match((await client.get('me/')).json(), { nivel_acceso: 3, companies: [{ ...norte, nivel_acceso: 3 }, { ...sur, nivel_acceso: 1 }] })
  t.match((await client.send('PATCH', 'me/', { company: sur.id })).json(), { nivel_acceso: 1, company: sur.id })
  t.equal((await client.post('contracts/', { folio: 'x' })).statusCode, 403)
})

t.test('an answer has an ETag, and is 304 until any part of it changes', async (t) => {
  const client = await as('coordinador@demo.example')
  const first = await client.get('me/')
  const etag = String(first.headers['etag'])
  t.match(etag, /^(W\/)?"[^"]+"$/)
  for (const given of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`, '*']) {
    const same = await client.get('me/', { 'if-none-match': given })
    t.equal(same.statusCode, 304, given)
    t.equal(same.body, '')
    t.equal(same.headers['etag'], etag)
  }
  t.equal((await client.get('me/', { 'if-none-match': '"other"' })).statusCode, 200)

  for (const [what, change] of Object.entries({
    name: "update users set nombre = 'Otra' where email = 'coordinador@demo.example'",
    level: "update memberships set nivel_acceso = 3 where user_id = (select id from users where email = 'coordinador@demo.example')",
    'name of a company': "update companies set nombre = 'Obra Norte II' where nombre = 'Obra Norte'",
    'active company': "update users set company_id = null where email = 'coordinador@demo.example'"
  })) {
    const before = String((await client.get('me/')).headers['etag'])
    await psql(change)
    const after = await client.get('me/', { 'if-none-match': before })
    t.equal(after.statusCode, 200, what)
    t.not(after.headers['etag'], before, what)
  }
})

t.test('If-None-Match applies only to reads', async (t) => {
  const client = await as('director@otra.example')
  const etag = String((await client.get('me/')).headers['etag'])
  const patched = await client.send('PATCH', 'me/', { company: otra.id }, { 'if-none-match': etag })
  t.equal(patched.statusCode, 200)
  t.equal(patched.json().company, otra.id)

  await client.post('api-token-revoke/', { refresh: client.refresh })
  for (const given of [etag, '*']) t.equal((await client.get('me/', { 'if-none-match': given })).statusCode, 401)
})
