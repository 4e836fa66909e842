import pg from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { openDatabase } from '../../../src/server/open-database.ts'
import { buildOn, logIn } from '../../support/helper.ts'
import { createLogin, setUp, urlAs } from '../../support/login.ts'
import { patientCheck } from '../../support/patient-check.ts'
import { demoPlace } from '../../support/process.ts'
import { onServer, server } from '../../support/template.ts'
import { parse } from '../../unit/cli/parse.ts'
import { None } from '../../support/none.ts'

const onCluster = { skip: server === undefined && 'the embedded database has no logins' }

/** The variables of an installation's owner, and its database. */
interface Installation {
  env: Record<string, string>
  name: string
}

async function installation (t: Test): Promise<Installation> {
  const { env } = await demoPlace(t)
  return { env, name: new URL(env['DATABASE_URL']).pathname.slice(1) }
}

/** Reads and changes the contracts of all companies, as a person who has the password of the login. @throws PostgreSQL's error */
async function steal (login: string, { env }: Installation): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: urlAs(login, env['DATABASE_URL']) })
  await client.connect()
  try {
    await client.query("set role obra_app; set app.companies = '{1,2,3}'")
    return (await client.query("update contracts set descripcion = 'x' returning folio")).rows
  } finally {
    await client.end()
  }
}

/** The result of a check of `obra doctor`, as the owner. */
async function access ({ env }: Installation): Promise<Array<{ outcome: string, message: string }>> {
  return JSON.parse((await parse(['doctor', '--json'], env)).out).findings.filter(({ check }: { check: string }) => check === 'access')
}

/** Whether a server with this login serves the database. */
async function serves (t: Test, login: string, { env }: Installation): Promise<void> {
  const database = await openDatabase(loadConfig({ DATABASE_URL: urlAs(login, env['DATABASE_URL']), DATABASE_POOL: '4' }), 'refuse', patientCheck())
  const director = await logIn(await buildOn(t, database), 'director@demo.example')
  t.equal((await director.get('contracts/')).json().count, 60)
}

const closed = { code: '42501', message: /^permission denied for database / }

t.test("a login of staging can neither read nor change production's database on the same cluster", onCluster, async (t) => {
  const [staging, production] = await Promise.all([installation(t), installation(t)])
  const [stagingLogin, productionLogin] = [await createLogin(t), await createLogin(t)]
  t.match(await parse(['migrate', '--login', stagingLogin], staging.env), { error: undefined, out: `nothing to migrate\nset up the login ${stagingLogin}\nonly the owners and the logins of servers can connect now\n` })

  t.equal((await steal(stagingLogin, production)).length, 85, 'a database that an earlier release set up is open')
  t.match(await access(production), [{ outcome: 'failed', message: /^other logins can connect and take the role obra_app, which reads and changes all data: .*; run `obra migrate` as the owner of the database$/ }])

  const result = JSON.parse((await parse(['migrate', '--login', productionLogin, '--json'], production.env)).out)
  t.match(result, { migrated: None, login: productionLogin, changed: true, reserved: true })
  await t.rejects(steal(stagingLogin, production), closed)
  await t.rejects(steal(productionLogin, staging), closed)
  await serves(t, stagingLogin, staging)
  await serves(t, productionLogin, production)
  t.match(await parse(['migrate', '--login', productionLogin], production.env), { error: undefined, out: 'nothing to migrate\n', err: '' })
  const [healthy] = await access(production)
  t.notMatch(healthy?.message, /can connect and take|every login/)

  await onServer(async client => await client.query(`grant connect on database ${production.name} to ${stagingLogin}`))
  t.match(await access(production), [{ outcome: 'failed', message: new RegExp(`all data: ${stagingLogin}; run \`revoke connect on database ${production.name} from …\`$`) }])
})

t.test('servers of the earlier release keep their login; another user than the owner of the database gets the statements', onCluster, async (t) => {
  const place = await installation(t)
  const [earlier, monitor] = [await createLogin(t), await createLogin(t)]
  await setUp(earlier, place.name)
  await onServer(async client => await client.query(`revoke connect on database ${place.name} from ${earlier}`))

  const { error, out, err } = await parse(['migrate'], { DATABASE_URL: urlAs(earlier, place.env['DATABASE_URL']) })
  t.same([error, out], [undefined, 'nothing to migrate\n'])
  t.equal(err, `every login of the cluster may be able to connect; run as the owner of the database: grant connect on database "${place.name}" to "${earlier}"; revoke connect on database "${place.name}" from public\n`)

  await parse(['migrate'], place.env)
  await serves(t, earlier, place)
  await t.rejects(steal(monitor, place), closed)
  await onServer(async client => await client.query(`grant connect on database ${place.name} to ${monitor}`))
  await t.rejects(steal(monitor, place), { message: 'permission denied to set role "obra_app"' })
})
