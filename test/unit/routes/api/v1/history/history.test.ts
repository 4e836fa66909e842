import t from 'tap'
import { resources } from '../../../../../../src/domain/resources.ts'
import { randomBytes } from 'node:crypto'
import { build, type Client } from '../../../../../support/helper.ts'
import { None } from '../../../../../support/none.ts'

const { as, psql, app } = await build(t, { RATE_LIMIT: 'off', WEBHOOK_KEY: randomBytes(32).toString('base64') })
const clients = {
  auxiliar: await as('auxiliar@demo.example'),
  director: await as('director@demo.example'),
  corporativo: await as('corporativo@demo.example'),
  soporte: await as('soporte@demo.example'),
  superusuario: await as('superusuario@demo.example')
}
const { director, corporativo, superusuario } = clients
await psql("update users set company_id = 1 where email in ('corporativo@demo.example', 'superusuario@demo.example', 'soporte@demo.example')")
const userOf = async (email: string) => (await psql('select id, nombre from users where email = $1', [email]))[0] as { id: number, nombre: string }
const directorUser = await userOf('director@demo.example')
const corporativoUser = await userOf('corporativo@demo.example')

const entries = async (query: string, client: Client = director) => (await client.get(`history/?${query}`)).json().results
const ofRecord = async (resource: string, id: number, client?: Client) => (await entries(`resource=${resource}&record=${id}&page_size=200`, client)).reverse()

t.test('each operation on business data is an entry with its user, version and values as in answers', async (t) => {
  const { id } = (await director.post('contracts/', { folio: 'H-1', monto: '10', contraparte: (await director.get('contrapartes/')).json().results[0].nombre })).json()
  await director.send('PATCH', `contracts/${id}/`, { monto: 20.5, descripcion: 'b', fecha_inicio: '2026-01-02' })
  await director.send('PUT', `contracts/${id}/`, { folio: 'H-1', monto: '20.50' })
  await director.post('contracts/bulk/', { items: [{ folio: 'H-1', external_id: 'h1' }, { folio: 'H-2', external_id: 'h2' }], partial: true, upsert: 'external_id' })
  await director.post('contracts/bulk/', { items: [{ external_id: 'h2', folio: 'H-2' }], upsert: 'external_id' })
  const record = (await director.get(`contracts/${id}/`)).json()
  await psql('update contracts set monto = 30 where id = $1', [id])
  await psql('update contracts set monto = monto where id = $1', [id])
  t.equal((await director.send('DELETE', `contracts/${id}/`)).statusCode, 204)
  const user = directorUser
  const found = await ofRecord('contracts', id)
  t.match(found, [
    { operation: 'insert', version: 1, user, fields: { folio: 'H-1', monto: '10.00', contraparte_id: record.contraparte_id, parent: null, descripcion: '' } },
    { operation: 'update', version: 2, user, fields: { monto: ['10.00', '20.50'], descripcion: ['', 'b'], fecha_inicio: [null, '2026-01-02'] } },
    { operation: 'update', version: 3, user: null, fields: { monto: ['20.50', '30.00'] } },
    { operation: 'delete', version: 4, user, fields: { monto: '30.00', fecha_inicio: '2026-01-02' } }
  ])
  t.strictSame(Object.keys(found[1].fields).sort(), ['descripcion', 'fecha_inicio', 'monto'], 'only changed fields')
  for (const [field, value] of Object.entries(found[3].fields)) if (field !== 'monto') t.strictSame(value, record[field], `${field} has the form of answers`)
  const [{ id: second }] = await psql("select id from contracts where folio = 'H-2'") as [{ id: number }]
  t.match(await ofRecord('contracts', second), [{ operation: 'insert', user }], 'an upsert without changes has no entry')
})

t.test('mutations, keyed creates and authorizations', async (t) => {
  const mutations = [
    { id: 1, op: 'create', resource: 'contracts', ref: 'c', body: { folio: 'H-3', monto: '1000.00' } },
    { id: 2, op: 'create', resource: 'estimates', ref: 'e', body: { contract: { ref: 'c' }, monto: '100.00' } }
  ]
  const { results } = (await director.post('mutations/', { device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', mutations })).json()
  const [contract, estimate] = results.map(({ record }: { record: { id: number } }) => record.id) as [number, number]
  await director.send('PATCH', `estimates/${estimate}/`, { estado: 'enviada' })
  await director.send('PATCH', `estimates/${estimate}/`, { estado: 'autorizada' })
  t.match(await ofRecord('estimates', estimate), [
    { operation: 'insert', user: directorUser, fields: { contract, monto: '100.00', neto: null } },
    { fields: { estado: ['borrador', 'enviada'] } },
    { user: directorUser, fields: { estado: ['enviada', 'autorizada'], neto: [null, '116.00'] } }
  ])
  t.strictSame((await entries(`contract=${contract}`)).map(({ resource }: { resource: string }) => resource), ['estimates', 'estimates', 'estimates', 'contracts'], 'the contract and its records')
  const post = async () => await director.post('contrapartes/', { nombre: 'H-4' }, { 'idempotency-key': 'h4' })
  const { id } = (await post()).json()
  await post()
  t.match(await ofRecord('contrapartes', id), [{ operation: 'insert', user: directorUser, fields: { nombre: 'H-4', rfc_warning: false } }])
  t.equal((await ofRecord('contrapartes', id)).length, 1, 'a replayed create has no entry')
})

t.test('a refused write and an undone one leave no entry', async (t) => {
  const before = await psql('select count(*)::int from history')
  t.equal((await director.post('contracts/bulk/', { items: [{ folio: 'H-5' }, { folio: 'H-5' }] })).statusCode, 400)
  await psql("do $$ begin begin insert into contracts (company_id, folio) values (1, 'H-6'); raise exception 'undo'; exception when raise_exception then null; end; end $$")
  t.strictSame(await psql('select count(*)::int from history'), before)
})

t.test('accounts and webhooks, without passwords, secrets and tokens', async (t) => {
  const password = 'a secret pass phrase'
  const { id } = (await corporativo.post('users/', { email: 'h@demo.example', password, nombre: 'Hilda' })).json()
  const membership = (await corporativo.post('memberships/', { user: id, company: 1, nivel_acceso: 1 })).json()
  await corporativo.send('PATCH', `memberships/${membership.id}/`, { nivel_acceso: 2 })
  await corporativo.send('PATCH', `users/${id}/`, { password: 'another pass phrase' })
  await corporativo.send('PATCH', `users/${id}/`, { nombre: 'Hilda H.' })
  const own = await as('h@demo.example', 'another pass phrase')
  await own.send('PATCH', 'me/', { company: 1 })
  t.equal((await own.post('me/password/', { current: 'another pass phrase', new: 'a third pass phrase' })).statusCode, 204)
  await corporativo.send('DELETE', `users/${id}/`)
  await corporativo.send('DELETE', `memberships/${membership.id}/`)
  const { id: hook, secret } = (await director.post('webhooks/', { url: 'https://erp.obra.example/h', descripcion: 'x' })).json()
  const rotated = (await director.post(`webhooks/${hook}/rotate/`, {})).json().secret

  t.match(await ofRecord('users', id, corporativo), [
    { operation: 'insert', user: corporativoUser, fields: { email: 'h@demo.example', nombre: 'Hilda', customer: 1 } },
    { operation: 'update', user: corporativoUser, fields: None },
    { user: corporativoUser, fields: { nombre: ['Hilda', 'Hilda H.'] } },
    { operation: 'update', user: { id, nombre: 'Hilda H.' }, fields: None },
    { user: corporativoUser, fields: { activo: [true, false] } }
  ])
  t.match(await ofRecord('memberships', membership.id), [{ operation: 'insert', fields: { user: id, company: 1 } }, { fields: { nivel_acceso: [1, 2] } }, { operation: 'delete', user: corporativoUser }])
  t.match(await ofRecord('webhooks', hook), [{ operation: 'insert', user: directorUser, fields: { url: 'https://erp.obra.example/h' } }, { operation: 'update', fields: None }])
  t.ok(Array.isArray((await ofRecord('webhooks', hook))[0].fields.events))

  const stored = JSON.stringify(await psql('select fields from history'))
  const secrets = await psql("select password as text from users union all select secrets from webhooks union all select encode(hash, 'hex') from refresh_tokens union all select id::text from sessions")
  for (const text of [password, 'another pass phrase', 'a third pass phrase', secret, rotated, own.access, own.refresh, ...secrets.map(({ text }) => text)]) t.notOk(stored.includes(text))
  t.strictSame(await psql("select distinct k from history, jsonb_object_keys(fields) k where k ~ 'password|secret|token|busqueda'"), [])
})

t.test('levels', async (t) => {
  const reads = async (client: Client, resource: string) => (await client.get(`history/?resource=${resource}`)).statusCode
  const statuses = async (resource: string) => await Promise.all(Object.values(clients).map(async client => await reads(client, resource)))
  t.strictSame(await statuses('contracts'), [200, 200, 200, 200, 200])
  t.strictSame(await statuses('webhooks'), [403, 200, 200, 403, 200])
  t.strictSame(await statuses('memberships'), [403, 200, 200, 200, 200])
  t.strictSame(await statuses('companies'), [403, 200, 200, 200, 200])
  t.strictSame(await statuses('users'), [403, 403, 200, 200, 200])
  t.strictSame(await statuses('customers'), [403, 403, 403, 200, 200])
  const kinds = async (client: Client) => [...new Set((await entries('page_size=200', client)).map(({ resource }: { resource: string }) => resource))].sort()
  const written = (await psql('select distinct resource from history where company_id = 1')).map(({ resource }) => resource as string)
  const business = written.filter(name => resources.some(resource => resource.name === name))
  t.strictSame(await kinds(clients.auxiliar), business.sort())
  t.strictSame(await kinds(director), [...business, 'companies', 'memberships', 'webhooks'].sort())

  const [other] = await psql("select u.id from users u join customers c on c.id = u.customer_id where c.nombre = 'Grupo Otra' limit 1") as [{ id: number }]
  t.strictSame(await ofRecord('users', other.id, corporativo), [], 'a Corporativo sees no user of another customer')
  t.equal((await ofRecord('users', other.id, superusuario)).length, 1)
})

t.test('pages are stable, and filters agree with the database', async (t) => {
  const all: Array<{ resource: string, record: number, at: string }> = []
  let url: string | undefined = 'history/?page_size=7'
  while (url !== undefined) {
    const { next, results }: { next: string | null, results: typeof all } = (await director.get(url)).json()
    all.push(...results)
    if (all.length === 14) await director.post('contracts/', { folio: 'H-late' })
    url = next?.replace(/.*\/api\/v1\//, '')
  }
  const [{ count }] = await psql('select count(*)::int from history where company_id = 1') as [{ count: number }]
  t.equal(all.length, count - 1, 'each earlier entry once')
  t.equal(new Set(all.map(entry => JSON.stringify(entry))).size, all.length)
  t.strictSame(all.map(({ at }) => at), all.map(({ at }) => at).sort().reverse())

  const mine = await entries(`user=${directorUser.id}&page_size=200`)
  t.ok(mine.length > 5 && mine.every(({ user }: { user: { id: number } }) => user.id === directorUser.id))
  t.ok((await entries('user=null&page_size=200')).every(({ user }: { user: unknown }) => user === null))
  const [newest] = await entries('page_size=1')
  const [{ day }] = await psql('select ($1::timestamptz at time zone zona_horaria)::date::text as day from companies where id = 1', [newest.at]) as [{ day: string }]
  t.ok((await entries(`desde=${day}&hasta=${day}&page_size=1`)).length > 0)
  t.strictSame(await entries('hasta=2020-01-01'), [])
  t.equal((await entries(`desde=${newest.at}`)).length, 1)
  t.equal((await entries(`hasta=${newest.at}&page_size=1`))[0].at, newest.at)
  t.match((await director.get('history/?desde=x')).json(), { codes: { desde: ['invalid'] } })
  t.match((await director.get('history/?cursor=x')).json(), { codes: { cursor: ['invalid_cursor'] } })
})

t.test('an answer is never older than the request: a new name of a user changes it', async (t) => {
  const url = `history/?user=${directorUser.id}&page_size=1`
  const first = await director.get(url)
  t.equal((await director.get(url, { 'if-none-match': String(first.headers['etag']) })).statusCode, 304)
  await psql("update users set nombre = 'Nueva' where id = $1", [directorUser.id])
  const second = await director.get(url, { 'if-none-match': String(first.headers['etag']) })
  t.equal(second.json().results[0].user.nombre, 'Nueva')
})

t.test('three walls', async (t) => {
  const stranger = await as('director@otra.example')
  const [{ company }] = await psql("select company_id as company from users where email = 'director@otra.example'") as [{ company: number }]
  const [{ record }] = await psql("select record_id as record from history where company_id = 1 and resource = 'contracts' limit 1") as [{ record: number }]
  const seen = async () => [await ofRecord('contracts', record, stranger), await entries(`contract=${record}`, stranger)]
  t.strictSame(await seen(), [[], []])
  await psql('alter table history disable row level security')
  t.strictSame(await seen(), [[], []], 'without policies')
  await psql('alter table history enable row level security')
  const read = async (companies: number[]) => (await app.database.sql.within(companies, 'read only', [{ text: 'select distinct company_id from history order by 1', values: [] }]))[0]
  t.strictSame(await read([company]), [{ company_id: company }], 'without narrowing')
  t.strictSame(await read([]), [])
  await t.rejects(app.database.sql.within([1], 'read write', [{ text: 'delete from history', values: [] }]), { code: '42501' }, 'the service cannot delete entries')
})

t.test('a user who moves to another customer leaves one history and enters the other, without the values of the other side', async (t) => {
  const made = await superusuario.post('users/', { email: 'corporativo@otra.example', nombre: 'Corporativo Otra', password: 'correct horse battery st', customer: 2, nivel_acceso: 4 })
  t.equal(made.statusCode, 201)
  const other = await as('corporativo@otra.example')
  await other.send('PATCH', 'me/', { company: 3 })
  const { id } = (await superusuario.post('users/', { email: 'before@demo.example', nombre: 'Before', password: 'correct horse battery st', customer: 1 })).json()
  t.equal((await superusuario.send('PATCH', `users/${id}/`, { customer: 2, email: 'after@otra.example', nombre: 'After' })).statusCode, 200)
  t.match(await ofRecord('users', id, other), [{ operation: 'update', fields: { customer: [null, 2], email: [null, 'after@otra.example'], nombre: [null, 'After'] } }])
  t.match((await ofRecord('users', id, corporativo)).map(({ operation, fields }: Record<string, unknown>) => ({ operation, fields })), [
    { operation: 'insert', fields: { nombre: 'Before' } },
    { operation: 'update', fields: { customer: [1, null], nombre: undefined } }
  ])
  t.equal((await ofRecord('users', id, corporativo))[1].user.nombre, null, 'support has no name there')
})
