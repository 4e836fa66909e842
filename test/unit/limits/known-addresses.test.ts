import t from 'tap'
import { knownAddresses } from '../../../src/limits/known-addresses.ts'
import { namesBy } from '../../../src/limits/names.ts'
import { build, buildOn, secret } from '../../support/helper.ts'

const director = 'director@demo.example'
const server = await build(t, { LOGIN_FAILURES_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ACCOUNT: 1000 })
const { database, psql } = server
const { sql } = database
const present = namesBy(secret)
const known = knownAddresses(sql, [present])
const rows = async () => await psql('select email, address, current_date - logged_in_on as days from known_addresses k join users u on u.id = k.user_id order by email, address')
const age = async (days: number) => await psql('update known_addresses set logged_in_on = current_date - $1::int', [days])
const forget = async () => await psql('delete from known_addresses')

t.test('an address is known to an account for 100 days after a log-in', async (t) => {
  await forget()
  t.equal(await known.has(director, '192.0.2.1'), false)
  await known.add(director, '192.0.2.1')
  t.equal(await known.has(director, '192.0.2.1'), true)
  t.equal(await known.has(director, '192.0.2.2'), false)
  t.equal(await known.has('coordinador@demo.example', '192.0.2.1'), false)
  await age(99)
  t.equal(await known.has(director, '192.0.2.1'), true)
  await age(100)
  t.equal(await known.has(director, '192.0.2.1'), false)
})

t.test('an account and address have one row, with the last day and without the plain address', async (t) => {
  await forget()
  await known.add(director, '192.0.2.1')
  await age(99)
  await Promise.all([known.add(director, '192.0.2.1'), known.add(director, '192.0.2.1')])
  t.same(await rows(), [{ email: director, address: present(director, '192.0.2.1'), days: 0 }])
  const version = async () => (await psql('select xmin::text as written from known_addresses'))[0]?.['written']
  const first = await version()
  await known.add(director, '192.0.2.1')
  t.equal(await version(), first, 'the row is written once a day')
  t.equal(present(director, '192.0.2.1').length, 43)
  t.not(present(director, '192.0.2.1'), namesBy(`${secret}.`)(director, '192.0.2.1'), 'without the key the addresses cannot be enumerated')
  t.not(present(director, '192.0.2.1'), present('coordinador@demo.example', '192.0.2.1'), 'accounts at one address cannot be linked')
})

t.test('nothing is stored for an unknown account, and old addresses stay until the purge', async (t) => {
  await forget()
  await known.add('coordinador@demo.example', '192.0.2.1')
  await age(100)
  await known.add('nobody@demo.example', '192.0.2.1')
  t.same(await rows(), [{ email: 'coordinador@demo.example', address: present('coordinador@demo.example', '192.0.2.1'), days: 100 }])
  await known.add(director, '192.0.2.2')
  t.same((await rows()).map(({ email }) => email), ['coordinador@demo.example', director])
})

t.test('a change of the signing key keeps the known addresses', async (t) => {
  await forget()
  const former = namesBy('the key before, which is as long as others')
  await knownAddresses(sql, [former]).add(director, '192.0.2.1')
  t.equal(await known.has(director, '192.0.2.1'), false)
  t.equal(await knownAddresses(sql, [present, former]).has(director, '192.0.2.1'), true)
})

t.test('a new server process knows earlier log-ins, and queries them only when needed', async (t) => {
  await forget()
  const post = async (app: typeof server.app, email: string, password: string) => (await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email, password } })).statusCode
  t.equal(await post(server.app, director, 'demo-obra-1'), 200)
  let queries = 0
  const query: typeof sql.query = async (statement) => {
    if (statement.name === 'known address') queries++
    return await database.lone.query(statement)
  }
  const restarted = await buildOn(t, { ...database, lone: { ...database.lone, query }, close: async () => {} }, { LOGIN_FAILURES_PER_ADDRESS: 1, LOGIN_FAILURES_PER_ACCOUNT: 1000 })
  t.equal(await post(restarted, 'nobody@demo.example', 'wrong'), 401)
  t.equal(queries, 1, 'only for an account with failures')
  t.strictSame([await post(restarted, 'coordinador@demo.example', 'demo-obra-1'), await post(restarted, director, 'demo-obra-1')], [429, 200])
  t.equal(queries, 3)
})
