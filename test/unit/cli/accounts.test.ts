import t from 'tap'
import { build } from '../../support/helper.ts'
import { commandsOn, parse } from './parse.ts'

t.test('customers, companies and users are created, and the users can log in at their level', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server)
  const refused = async (args: string[], message: string) => {
    t.match(await run(args), { out: '', error: { message } }, args.join(' '))
  }

  const customer = await json(['create-customer', '  Edificaciones Pen\u0303o\u0301n '])
  t.strictSame(customer, { id: customer.id, nombre: 'Edificaciones Peñón' })
  const company = await json(['create-company', 'Torre A', '--customer', String(customer.id)])
  t.strictSame(company, { id: company.id, nombre: 'Torre A', customer: customer.id })
  await refused(['create-company', 'Torre A', '--customer', String(customer.id)], 'the name or email address is already in use')
  await refused(['create-company', 'Torre B', '--customer', '999'], 'the customer or company does not exist')
  await refused(['create-customer', 'x'.repeat(201)], 'the name is too long')

  const members: Array<[email: string, password: string, me: object]> = []
  for (const level of [1, 2, 3]) {
    const user = await json(['create-user', `User-${level}@Penon.mx`, '--nivel', String(level), '--company', String(company.id), '--nombre', `N${level}`])
    t.match(user, { email: `user-${level}@penon.mx`, nivel_acceso: level, company: company.id, password: /^[\w-]{16}$/ })
    members.push([`USER-${level}@penon.mx`, user.password, { nombre: `N${level}`, nivel_acceso: level, company: company.id, companies: [{ id: company.id, nombre: 'Torre A', nivel_acceso: level }] }])
  }
  t.equal(new Set(members.map(([, password]) => password)).size, 3)
  await refused(['create-user', 'user-2@PENON.mx', '--nivel', '6'], 'the name or email address is already in use')
  await refused(['create-user', 'other@penon.mx', '--nivel', '1', '--company', '999'], 'no such company: 999')
  await refused(['create-user', 'other@penon.mx', '--nivel', '4', '--company', String(company.id), '--customer', '1'], `company ${company.id} belongs to another customer`)

  for (const level of ['1', '2', '3']) await refused(['create-user', 'other@penon.mx', '--nivel', level, '--company', String(company.id), '--customer', '1'], `company ${company.id} belongs to another customer`)
  t.strictSame(await server.psql("select from users where email = 'other@penon.mx'"), [])
  t.match(await json(['create-user', 'same@penon.mx', '--nivel', '1', '--company', String(company.id), '--customer', String(customer.id)]), { nivel_acceso: 1 })

  const given = await run(['create-user', 'corp@penon.mx', '--nivel', '4', '--customer', String(customer.id), '--password-stdin'], 'una clave larga \n')
  t.match(given, { error: undefined, err: '', out: /^user \d+: corp@penon\.mx\n$/ }, 'a password that was given is not printed')
  const made = await run(['create-user', 'raiz@penon.mx', '--nivel', '6'])
  const [, password] = /^user \d+: raiz@penon\.mx, password (\S+)\n$/.exec(made.out) ?? []
  t.match(await run(['create-superuser', 'Otra-Raiz@penon.mx', '--password-stdin'], 'ocho car'), { error: undefined, err: '', out: /^user \d+: otra-raiz@penon\.mx\n$/ })

  members.push(
    ['corp@penon.mx', 'una clave larga ', { nivel_acceso: 4, company: null, companies: [{ id: company.id, nivel_acceso: 4 }] }],
    ['raiz@penon.mx', password, { nivel_acceso: 6, company: null, companies: { length: 4 } }],
    ['otra-raiz@penon.mx', 'ocho car', { nivel_acceso: 6, company: null, companies: { length: 4 } }]
  )
  for (const [email, password, me] of members) {
    const client = await server.as(email, password)
    t.match((await client.get('me/')).json(), { email: email.toLowerCase(), ...me })
  }

  await t.test("set-password replaces a password and ends the user's sessions", async (t) => {
    const [before, other] = [await server.as('raiz@penon.mx', password), await server.as('corp@penon.mx', 'una clave larga ')]
    const set = await json(['set-password', 'Raiz@penon.mx'])
    t.match(set, { email: 'raiz@penon.mx', ended: 2, password: /^[\w-]{16}$/ }, 'the log-in above and this one')
    t.equal((await before.get('me/')).statusCode, 401)
    t.equal((await other.get('me/')).statusCode, 200, 'sessions of other users stay')
    await t.rejects(server.as('raiz@penon.mx', password), /cannot log in/)
    t.match((await (await server.as('raiz@penon.mx', set.password)).get('me/')).json(), { nivel_acceso: 6 })
    t.match(await run(['set-password', 'corp@penon.mx', '--password-stdin'], 'otra clave\n'), { out: /^user \d+: corp@penon\.mx, sessions ended: 2\n$/ })
    await server.as('corp@penon.mx', 'otra clave')
    await refused(['set-password', 'nadie@penon.mx'], 'no such user: nadie@penon.mx')
  })
})

t.test('passwords follow the rules of the API', async (t) => {
  const unused = { withDatabase: async () => t.fail('the database was opened') }
  for (const [input, message] of [['\n', /^the password must have at least 8 characters$/], ['siete c', /at least 8 characters/], ['x'.repeat(1025), /at most 1024 characters/]] as const) {
    t.match(await parse(['create-superuser', 'a@b.mx', '--password-stdin'], {}, { input, databases: unused as never }), { out: '', error: { message } })
  }
  t.match(await parse(['create-superuser', 'a@b.mx'], {}, { databases: unused as never }), { error: { message: 'no terminal to ask for the password: use --password-stdin' } })
  const { error } = await parse(['set-password', 'a@b.mx', '--ask-password'], {}, { databases: unused as never })
  t.match(error, { message: 'no terminal to ask for the password: use --password-stdin' })
  const both = ['create-user', 'a@b.mx', '--nivel', '6', '--ask-password', '--password-stdin']
  t.match(await parse(both, {}, { input: 'una clave larga', databases: unused as never }), { error: { message: 'pass either --ask-password or --password-stdin' } })
})
