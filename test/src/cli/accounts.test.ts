import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { buildOn, logIn } from '../../helper.ts'
import { demoPlace, obra } from '../../process.ts'
import { parse, variables } from './parse.ts'

t.test('customers, companies and users are created, and the users can log in at their level', async (t) => {
  const place = await demoPlace(t)
  const env = variables(place)
  const json = async (...args: string[]) => {
    const { out, error } = await parse([...args, '--json'], env)
    t.equal(error, undefined)
    t.match(out, /^\{.*\}\n$/)
    return JSON.parse(out)
  }
  const refused = async (args: string[], message: string) => {
    t.match(await parse(args, env), { out: '', error: { message } }, args.join(' '))
  }

  const customer = await json('create-customer', '  Edificaciones Pen\u0303o\u0301n ')
  t.strictSame(customer, { id: customer.id, nombre: 'Edificaciones Peñón' })
  const company = await json('create-company', 'Torre A', '--customer', String(customer.id))
  t.strictSame(company, { id: company.id, nombre: 'Torre A', customer: customer.id })
  await refused(['create-company', 'Torre A', '--customer', String(customer.id)], 'there is one of that name already')
  await refused(['create-company', 'Torre B', '--customer', '999'], 'the customer or company named is not there')
  await refused(['create-customer', 'x'.repeat(201)], 'the name is too long')

  const members: Array<[email: string, password: string, me: object]> = []
  for (const level of [1, 2, 3]) {
    const user = await json('create-user', `User-${level}@Penon.mx`, '--nivel', String(level), '--company', String(company.id), '--nombre', `N${level}`)
    t.match(user, { email: `user-${level}@penon.mx`, nivel_acceso: level, company: company.id, password: /^[\w-]{16}$/ })
    members.push([`USER-${level}@penon.mx`, user.password, { nombre: `N${level}`, nivel_acceso: level, company: company.id, companies: [{ id: company.id, nombre: 'Torre A', nivel_acceso: level }] }])
  }
  t.equal(new Set(members.map(([, password]) => password)).size, 3)
  await refused(['create-user', 'user-2@PENON.mx', '--nivel', '6'], 'there is one of that name already')
  await refused(['create-user', 'other@penon.mx', '--nivel', '1', '--company', '999'], 'there is no company 999')
  await refused(['create-user', 'other@penon.mx', '--nivel', '4', '--company', String(company.id), '--customer', '1'], `company ${company.id} is another customer's`)

  const given = await obra(t, place, ['create-user', 'corp@penon.mx', '--nivel', '4', '--customer', String(customer.id), '--password-stdin'], {}, 'una clave larga \n')
  t.match(given, { code: 0, stderr: '', stdout: /^user \d+: corp@penon\.mx\n$/ }, 'a password that was given is not printed')
  const made = await parse(['create-user', 'raiz@penon.mx', '--nivel', '6'], env)
  const [, password] = /^user \d+: raiz@penon\.mx, password (\S+)\n$/.exec(made.out) ?? []

  const app = await buildOn(t, await openDatabase(loadConfig(env), 'refuse'))
  members.push(
    ['corp@penon.mx', 'una clave larga ', { nivel_acceso: 4, company: null, companies: [{ id: company.id, nivel_acceso: 4 }] }],
    ['raiz@penon.mx', password as string, { nivel_acceso: 6, company: null, companies: { length: 4 } }]
  )
  for (const [email, password, me] of members) {
    const client = await logIn(app, email, password)
    t.match((await client.get('me/')).json(), { email: email.toLowerCase(), ...me })
  }
})
