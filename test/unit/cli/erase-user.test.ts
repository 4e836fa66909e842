import t from 'tap'
import { build, type TestServer } from '../../support/helper.ts'
import { succeeded } from '../../support/succeeded.ts'
import { commandsOn, owning } from './parse.ts'

/** The tables that have one of these texts in a row, in any column and case. */
async function tablesWith (psql: TestServer['psql'], texts: string[]): Promise<string[]> {
  const tables = await psql(`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'search')`)
  const found = await psql(tables.map(({ name }) => `
    select '${name}' as name from ${name} r where exists (select from unnest($1::text[]) text where r::text ilike '%' || text || '%') group by 1`).join(' union all '), [texts])
  return found.map(({ name }) => name).sort()
}

t.test('the personal data of a user is erased everywhere, and the history keeps the id', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server, owning(server))
  const [corporativo, director] = [await server.as('corporativo@demo.example'), await server.as('director@demo.example')]
  const password = 'a longer pass phrase'
  const key = { 'idempotency-key': 'rosa-1' }
  const { id } = succeeded(await corporativo.post('users/', { email: 'rosa@personal.mx', password, nombre: 'Rosaura Ruizesparza' }, key))
  const { id: other } = succeeded(await corporativo.post('users/', { email: 'otra@persona.mx', password, nombre: 'Otra Persona' }, { 'idempotency-key': 'otra-1' }))
  succeeded(await corporativo.post('memberships/', { user: id, company: 1, nivel_acceso: 3 }))
  succeeded(await corporativo.send('PATCH', `users/${id}/`, { email: 'rosaura@personal.mx' }))
  const rosa = await server.as('rosaura@personal.mx', password)
  succeeded(await rosa.send('PATCH', 'me/', { company: 1 }))
  const contract = succeeded(await rosa.post('contracts/', { folio: 'DE-ROSA', monto: '1.00' }))
  const texts = ['rosa@personal', 'rosaura@personal', 'Ruizesparza']
  t.strictSame(await tablesWith(server.psql, texts), ['history', 'idempotency_keys', 'users'], 'where the data is before')

  const unconfirmed = `this cannot be undone: pass --yes to erase user ${id} (rosaura@personal.mx, Rosaura Ruizesparza)`
  t.match(await run(['erase-user', 'Rosaura@personal.mx']), { out: '', error: { message: unconfirmed } })
  t.equal((await rosa.get('me/')).statusCode, 200, 'nothing has changed')

  const email = `erased-${id}@erased.invalid`
  t.strictSame(await json(['erase-user', 'rosaura@personal.mx', '--yes']), { id, email, ended: 1, entries: 3 })
  t.strictSame(await tablesWith(server.psql, texts), [])
  t.strictSame(await tablesWith(server.psql, ['otra@persona.mx']), ['history', 'idempotency_keys', 'users'], 'data of others stays')
  t.strictSame(await server.psql('select user_id from known_addresses where user_id = $1', [id]), [])

  t.equal((await rosa.get('me/')).statusCode, 401)
  await t.rejects(server.as(email, password), /cannot log in/)
  await t.rejects(server.as('rosaura@personal.mx', password), /cannot log in/)
  t.match((await corporativo.get(`users/${id}/`)).json(), { id, email, nombre: '', activo: false, customer: 1 })
  const changes = (await director.get(`history/?user=${id}`)).json().results
  t.match(changes.find(({ record }: { record: number }) => record === contract.id), { resource: 'contracts', operation: 'insert', user: { id, nombre: '' } })
  const about = (await corporativo.get(`history/?resource=users&record=${id}`)).json().results
  t.strictSame(about.map(({ operation, fields }: { operation: string, fields: object }) => [operation, fields]),
    [['update', { activo: [true, false] }], ['update', {}], ['insert', { customer: 1, nivel_acceso: null, activo: true }]])

  await t.test('a second run changes nothing', async (t) => {
    t.strictSame(await json(['erase-user', String(id), '--yes']), { id, email, ended: 0, entries: 0 })
    t.equal((await corporativo.get(`history/?resource=users&record=${id}`)).json().results.length, about.length)
    t.match(await run(['erase-user', 'rosaura@personal.mx', '--yes']), { error: { message: 'no such user: rosaura@personal.mx' } })
    t.match((await corporativo.get(`users/${other}/`)).json(), { email: 'otra@persona.mx', activo: true })
  })

  await t.test('the address of another user is not taken', async (t) => {
    succeeded(await corporativo.post('users/', { email: `erased-${other}@erased.invalid`, password, nombre: 'Nadie' }))
    const erased = await json(['erase-user', String(other), '--yes'])
    t.match(erased, { id: other, email: /^erased-\d+-[0-9a-f]{8}@erased\.invalid$/ })
    t.match(await json(['erase-user', String(other), '--yes']), { email: (erased as { email: string }).email, entries: 0 })
  })

  await t.test('the last Superusuario cannot be erased', async (t) => {
    const [{ email: last }] = await server.psql('select email from users where activo and nivel_acceso = 6') as [{ email: string }]
    t.match(await run(['erase-user', last, '--yes']), { out: '', error: { message: 'this is the last active Superusuario: create another one before' } })
    succeeded(await (await server.as(last)).get('me/'))
  })
})
