import { pbkdf2Sync } from 'node:crypto'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import t from 'tap'
import { build } from '../../support/helper.ts'
import { demoIds } from '../../support/accounts.ts'
import { commandsOn } from './parse.ts'

const django = (password: string, iterations = 1000) => `pbkdf2_sha256$${iterations}$grain$${pbkdf2Sync(password, 'grain', iterations, 32, 'sha256').toString('base64')}`
const lines = (...users: object[]) => users.map(user => `${JSON.stringify(user)}\n`).join('')

t.test('users of another service are imported and log in with their passwords', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server)
  const { companies, customers } = await demoIds(server)
  const [norte, sur, uno] = [companies['Obra Norte'], companies['Obra Sur'], companies['Otra Uno']] as [number, number, number]
  const input = lines(
    { email: ' Ana@Moved.mx', password: django('la de ana'), first_name: 'Ana', last_name: 'Ruiz', company: norte, nivel_acceso: 3, memberships: [{ company: sur, nivel_acceso: 1 }] },
    { email: 'beto@moved.mx', password: `argon2${await hash('la de beto', { memoryCost: 1024, timeCost: 2, parallelism: 8 })}`, nombre: 'Beto', customer: customers['Grupo Otra'], nivel_acceso: 4 },
    { email: 'caro@moved.mx', password: '!unusable', company: norte, nivel_acceso: 1, is_active: true },
    { email: 'dora@moved.mx', password: django('la de dora'), is_active: false, company: norte, nivel_acceso: 2 },
    { email: 'eva@moved.mx' })

  t.strictSame(await json(['import-users', '-', '--dry-run'], input), { created: 5, updated: 0, dry_run: true })
  t.strictSame(await server.psql("select from users where email like '%@moved.mx'"), [])
  t.match(await run(['import-users', '-'], input), { error: undefined, err: '', out: 'imported: 5 created, 0 updated\n' })

  await t.test('imported users have their level and companies', async (t) => {
    const ana = await server.as('ana@moved.mx', 'la de ana')
    t.match((await ana.get('me/')).json(), { nombre: 'Ana Ruiz', nivel_acceso: 3, company: norte, companies: [{ id: norte, nivel_acceso: 3 }, { id: sur, nivel_acceso: 1 }] })
    t.equal((await ana.get('contracts/')).json().count, 60)
    t.match((await (await server.as('beto@moved.mx', 'la de beto')).get('me/')).json(), { nombre: 'Beto', nivel_acceso: 4, company: null, companies: [{ id: uno }] })
    for (const [email, password] of [['ana@moved.mx', 'another'], ['caro@moved.mx', '!unusable'], ['dora@moved.mx', 'la de dora'], ['eva@moved.mx', '']] as const) {
      await t.rejects(server.as(email, password), /cannot log in/, email)
    }
    const kept = await server.psql("select split_part(email, '@', 1) as name, password like '$argon2id$v=19$m=19456,t=2,p=1$%' as ours, customer_id = $1 as demo from users where email like '%@moved.mx' order by 1", [customers['Constructora Demo']])
    t.strictSame(kept, [
      { name: 'ana', ours: true, demo: true }, { name: 'beto', ours: true, demo: false }, { name: 'caro', ours: false, demo: true },
      { name: 'dora', ours: false, demo: true }, { name: 'eva', ours: false, demo: null }], 'a log-in replaces the hash')
  })

  await t.test('existing users are refused without --update', async (t) => {
    const again = await run(['import-users', '-'], input)
    t.match(again, { out: '', error: { message: 'problems: 5, nothing was imported' } })
    t.match(again.err, /^line 1: there is an account ana@moved\.mx already \(--update changes it\)\nline 2: /)

    const [ana, beto] = [await server.as('ana@moved.mx', 'la de ana'), await server.as('beto@moved.mx', 'la de beto')]
    const changes = lines({ email: 'ana@moved.mx', password: django('la nueva'), company: norte, nivel_acceso: 2 }, { email: 'beto@moved.mx', nombre: 'Alberto' }, { email: 'fina@moved.mx', company: sur, nivel_acceso: 1 })
    t.strictSame(await json(['import-users', '-', '--update'], changes), { created: 1, updated: 2, dry_run: false })
    t.equal((await ana.get('me/')).statusCode, 401, 'a new password ends the sessions')
    t.match((await beto.get('me/')).json(), { nombre: 'Alberto', nivel_acceso: 4 }, 'fields that the file lacks stay')
    t.match((await (await server.as('ana@moved.mx', 'la nueva')).get('me/')).json(), { nombre: 'Ana Ruiz', nivel_acceso: 2, companies: { length: 2 } })
  })

  await t.test("users are imported from Django's dumpdata, with company and level from options", async (t) => {
    const dump = JSON.stringify([
      { model: 'contenttypes.contenttype', pk: 1, fields: { app_label: 'auth', model: 'user' } },
      { model: 'auth.user', pk: 7, fields: { password: django('la de gil'), last_login: null, is_superuser: true, username: 'gil', first_name: 'Gil', last_name: '', email: 'gil@moved.mx', is_staff: true, is_active: true, date_joined: '2024-01-01T00:00:00Z', groups: [], user_permissions: [] } }
    ])
    const file = join(t.testdir({ 'dump.json': dump }), 'dump.json')
    t.strictSame(await json(['import-users', file, '--company', String(norte), '--nivel', '2']), { created: 1, updated: 0, dry_run: false })
    t.match((await (await server.as('gil@moved.mx', 'la de gil')).get('me/')).json(), { nombre: 'Gil', nivel_acceso: 2, company: norte }, "Django's is_superuser is ignored")
  })

  await t.test('one problem refuses the whole file, and all problems are listed', async (t) => {
    const refused = async (input: string, problems: string[], ...args: string[]) => {
      const { out, err, error } = await run(['import-users', '-', ...args], input)
      t.match(error, { message: `problems: ${problems.length}, nothing was imported` })
      t.strictSame([out, err.trimEnd().split('\n')], ['', problems])
    }
    const before = await server.psql('select count(*) as n from users')
    const malformed = 'the pbkdf2_sha256 hash is malformed'
    await refused(lines(
      { email: 'nobody' }, { email: 'a@moved.mx', pasword: 'x', is_active: 'yes' }, { email: 'b@moved.mx', password: 'bcrypt_sha256$$2b$12$abc' }, { email: 'c@moved.mx', password: 'md5$a$b' },
      { email: 'd@moved.mx', password: 'pbkdf2_sha256$0$a$b' }, { email: 'e@moved.mx', password: django('x').replace('$1000$', '$99000000$') }, { email: 'f@moved.mx', password: 'plain' },
      { email: 'g@moved.mx', password: 'argon2$argon2id$v=19$m=102400' }, { email: 'h@moved.mx', nivel_acceso: 2 }, { email: 'i@moved.mx', nivel_acceso: 4 }, { email: 'A@moved.mx' }, { email: 'a@moved.mx' },
      { email: 'j@moved.mx', memberships: [{ company: 1, nivel_acceso: 4 }] }) + '{\n[]\n', [
      'line 1: email: not an email address',
      'line 2: pasword: unknown field',
      'line 2: is_active: must be boolean',
      'line 3: password: hash algorithm bcrypt_sha256 is not supported: import the account with "password": "!" and set a new password',
      'line 4: password: hash algorithm md5 is not supported: import the account with "password": "!" and set a new password',
      `line 5: password: ${malformed}`,
      'line 6: password: more than 10000000 iterations would slow down every log-in',
      'line 7: password: not a password hash',
      'line 8: password: the argon2 hash is malformed',
      'line 9: nivel_acceso: level 2 needs a company',
      'line 10: nivel_acceso: level 4 needs a customer',
      'line 12: email: a@moved.mx is already in line 11',
      'line 13: memberships.0.nivel_acceso: must be <= 3',
      'line 14: not JSON',
      'line 15: must be object'
    ])
    await refused(lines({ email: 'k@moved.mx', company: 998, nivel_acceso: 1 }, { email: 'l@moved.mx', customer: 999 }), ['line 1: no such company: 998', 'line 2: no such customer: 999'])
    await refused(lines({ email: 'm@moved.mx' }, { email: 'n@moved.mx', customer: customers['Grupo Otra'], company: norte }), [`line 2: company ${norte} belongs to another customer than the user`])
    await refused(lines({ email: 'ana@moved.mx', company: uno, nivel_acceso: 3 }), [`line 1: company ${uno} belongs to another customer than the user`], '--update')
    await refused(lines({ email: 'superusuario@demo.example', is_active: false }), ['no active Superusuario would be left'], '--update')
    await refused('[{"pk":1}', ["the file: not JSON: Expected ',' or ']' after array element in JSON at position 9 (line 1 column 10)"])
    t.match(await run(['import-users', '-'], '\n'), { error: { message: 'the file has no users' } })
    t.strictSame(await server.psql('select count(*) as n from users'), before)
  })

  await t.test('2,500 users are imported', async (t) => {
    const many = Array.from({ length: 2500 }, (_, n) => ({ email: `many-${n}@moved.mx`, password: '!', company: n % 2 === 0 ? norte : sur, nivel_acceso: 1 + n % 3 }))
    t.match(await json(['import-users', '-'], lines(...many)), { created: 2500 })
    t.match(await server.psql("select count(distinct u.id)::int as users, count(*)::int as memberships from users u join memberships m on m.user_id = u.id where email like 'many-%'"), [{ users: 2500, memberships: 2500 }])
  })
})

t.test('a byte order mark and CRLF are accepted, and invalid records are refused with their line', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server)
  t.strictSame(await json(['import-users', '-', '--dry-run'], '\ufeff{"email":"eva@moved.mx"}\r\n'), { created: 1, updated: 0, dry_run: true }, 'a byte order mark is ignored')
  const file = join(t.testdir({ latin: Buffer.from('{"email":"eva@moved.mx","nombre":"Mu\xf1oz"}', 'latin1') }), 'latin')
  t.match(await run(['import-users', file]), { out: '', err: '', error: { message: 'the file is not in UTF-8' } })
  const hostile = await run(['import-users', '-'], lines({ email: 'e\0va@moved.mx' }, { email: 'eva@moved.mx', nombre: 'a\0b' }, { email: 'fina@moved.mx', nombre: '\ud800' }))
  t.strictSame(hostile.err.split('\n'), ['line 1: email: NUL and lone surrogates are not allowed', 'line 2: nombre: NUL and lone surrogates are not allowed', 'line 3: nombre: NUL and lone surrogates are not allowed', ''])
  t.equal((await run(['import-users', '-'], '[{"model":"auth.user","fields":null}]')).err, 'record 1: not a dumpdata record\n')
})
