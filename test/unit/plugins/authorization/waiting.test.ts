import t from 'tap'
import { build, type Client } from '../../../support/helper.ts'

type Response = Awaited<ReturnType<Client['post']>>

const { as, psql, database: { shares } } = await build(t, { RATE_LIMIT: 'off' })
const [director, root] = [await as('director@demo.example'), await as('superusuario@demo.example')]
const [{ id: user, company }] = await psql("select id, company_id as company from users where email = 'director@demo.example'") as [{ id: number, company: number }]
const [{ id: rootUser }] = await psql("select id from users where email = 'superusuario@demo.example'") as [{ id: number }]
let made = 0

const arrivals = { units: 0, slowWrites: 0 }
for (const share of ['units', 'slowWrites'] as const) {
  const run = shares[share].run.bind(shares[share])
  shares[share].run = async (...args) => { arrivals[share]++; return await run(...args) }
}

/** Makes a write wait in its queue, and makes a change meanwhile. */
async function meanwhile (queue: number | string, write: () => Promise<Response>, change: () => Promise<unknown>): Promise<Response> {
  const { promise: through, resolve } = Promise.withResolvers<void>()
  const others = [shares.units.run(queue, Infinity, async () => await through), shares.slowWrites.run(queue, Infinity, async () => await through)]
  const before = arrivals.units + arrivals.slowWrites
  const answer = write()
  while (arrivals.units + arrivals.slowWrites === before) await new Promise(resolve => setImmediate(resolve))
  await change()
  resolve()
  await Promise.all(others)
  return await answer
}

const deactivate = async (id: number) => await psql('update users set activo = false where id = $1', [id])
const revoke = async (id: number) => await psql('update sessions set revoked_at = now() where user_id = $1', [id])
const lower = async (level: number) => await psql('update memberships set nivel_acceso = $1 where user_id = $2 and company_id = $3', [level, user, company])
const leave = async () => await psql('delete from memberships where user_id = $1 and company_id = $2', [user, company])

async function restore (): Promise<void> {
  await psql('update users set activo = true, nivel_acceso = case id when $1 then 6 end, company_id = case id when $1 then company_id else $3 end where id = any (array[$1, $2]::int[])', [rootUser, user, company])
  await psql('update sessions set revoked_at = null')
  await psql('insert into memberships (user_id, company_id, nivel_acceso) values ($1, $2, 3) on conflict (user_id, company_id) do update set nivel_acceso = 3', [user, company])
}

/** A contract without references. */
async function contract (): Promise<number> {
  return (await psql('insert into contracts (company_id, folio) values ($1, $2) returning id', [company, `HECHO-${++made}`]))[0]?.['id']
}

/** The kinds of writes, each with its preparation. */
const writes: Record<string, () => Promise<() => Promise<Response>>> = {
  create: async () => async () => await director.post('contracts/', { folio: `ESPERA-${++made}` }),
  'create under a key': async () => async () => await director.post('contracts/', { folio: `ESPERA-${++made}` }, { 'idempotency-key': `espera ${made}` }),
  'replay under a key': async () => {
    const send = async () => await director.post('contracts/', { folio: 'REPETIDO' }, { 'idempotency-key': 'repetido' })
    await send()
    return send
  },
  bulk: async () => async () => await director.post('contracts/bulk/', { items: [{ folio: `ESPERA-${++made}` }, { folio: `ESPERA-${++made}` }] }),
  patch: async () => {
    const id = await contract()
    return async () => await director.send('PATCH', `contracts/${id}/`, { descripcion: 'espera' })
  },
  delete: async () => {
    const id = await contract()
    return async () => await director.send('DELETE', `contracts/${id}/`)
  }
}

const fates = [
  { change: 'the user is deactivated', make: async () => await deactivate(user), status: 401, body: { detail: 'User is inactive', code: 'user_inactive' } },
  { change: 'the session is revoked', make: async () => await revoke(user), status: 401, body: { code: 'token_not_valid', messages: [{ message: 'Token is blacklisted' }] } },
  { change: 'the level falls too low', make: async () => await lower(1), status: 403, body: { code: 'permission_denied' } },
  { change: 'the membership ends', make: leave, status: 403, body: { code: 'no_active_company' } }
]

for (const [name, prepare] of Object.entries(writes)) {
  t.test(`a ${name} that waits is refused if meanwhile`, async (t) => {
    for (const { change, make, status, body } of fates) {
      const write = await prepare()
      const state = async () => await psql('select id, folio, descripcion, version from contracts where company_id = $1 order by id', [company])
      const before = await state()
      const answer = await meanwhile(company, write, make)
      t.equal(answer.statusCode, status, change)
      t.match(answer.json(), body, change)
      t.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer realm="api"' : undefined)
      t.equal(answer.headers['idempotency-replayed'], undefined)
      t.strictSame(await state(), before, change)
      await restore()
    }
  })
}

t.test('a write that is still permitted is executed once', async (t) => {
  for (const [name, change] of [['a lower level that suffices', async () => await lower(2)], ['another active company', async () => await psql('update users set company_id = null where id = $1', [user])], ['nothing', async () => {}]] as const) {
    for (const kind of ['create', 'create under a key', 'bulk', 'patch'] as const) {
      const count = async () => (await psql('select sum(version)::int as n from contracts where company_id = $1', [company]))[0]?.['n'] as number
      const write = await writes[kind]?.()
      const before = await count()
      const answer = await meanwhile(company, write, change)
      t.match(answer.statusCode, /^20[01]$/, `${kind}, ${name}`)
      t.equal(await count(), before + (kind === 'bulk' ? 2 : 1))
      await restore()
    }
  }
  await psql('update users set company_id = $1 where id = $2', [company, user])
})

t.test('a transition beyond editing is refused after the level was lowered', async (t) => {
  const id = (await director.post('contracts/', { folio: 'OBRA', monto: '100' })).json().id as number
  const { id: estimate } = (await director.post('estimates/', { contract: id, monto: '10' })).json()
  t.equal((await director.send('PATCH', `estimates/${estimate}/`, { estado: 'enviada' })).statusCode, 200)
  const answer = await meanwhile(company, async () => await director.send('PATCH', `estimates/${estimate}/`, { estado: 'autorizada' }), async () => await lower(2))
  t.equal(answer.statusCode, 403)
  t.match(answer.json(), { code: 'permission_denied' })
  t.match((await director.get(`estimates/${estimate}/`)).json(), { estado: 'enviada' })
  await restore()
})

t.test('writes to accounts', async (t) => {
  const customers = async () => await psql("select nombre from customers where nombre like 'Espera%'")
  t.equal((await root.post('customers/', { nombre: 'Otro' }, { 'idempotency-key': 'otro' })).statusCode, 201)
  for (const [change, make, status, body] of [
    ['deactivated', async () => await deactivate(rootUser), 401, { code: 'user_inactive' }],
    ['revoked', async () => await revoke(rootUser), 401, { code: 'token_not_valid' }],
    ['another level', async () => await psql('update users set nivel_acceso = 5 where id = $1', [rootUser]), 403, { code: 'permission_denied' }]
  ] as const) {
    for (const write of [
      async () => await root.post('customers/', { nombre: `Espera ${++made}` }),
      async () => await root.post('customers/', { nombre: `Espera ${++made}` }, { 'idempotency-key': `espera ${made}` }),
      async () => await root.post('customers/', { nombre: 'Otro' }, { 'idempotency-key': 'otro' }),
      async () => await root.send('PATCH', 'customers/1/', { nombre: 'Espera' })
    ]) {
      const answer = await meanwhile('accounts', write, make)
      t.equal(answer.statusCode, status, change)
      t.match(answer.json(), body, change)
      t.strictSame(await customers(), [])
      await restore()
    }
  }
})
