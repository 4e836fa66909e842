import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { sidOf } from '../../support/forge.ts'
import { build } from '../../support/helper.ts'
import { table } from '../../../src/cli/output.ts'
import { commandsOn } from './parse.ts'

t.test('sessions are listed and revoked', async (t) => {
  const server = await build(t)
  const { run, json } = commandsOn(server)
  const alive = async (client: { get: (url: string) => Promise<{ statusCode: number }> }) => (await client.get('me/')).statusCode
  t.match(await run(['list-sessions']), { out: 'no sessions\n' })

  // The clock of the embedded database counts milliseconds.
  const opened = async (email: string) => await sleep(2).then(async () => await server.as(email))
  const [director, again, auxiliar, otra] = [await opened('director@demo.example'), await opened('director@demo.example'), await opened('auxiliar@demo.example'), await opened('director@otra.example')]
  const listed = async (...args: string[]) => (await json(['list-sessions', ...args])).sessions.map((row: { session: string }) => row.session)
  t.strictSame(await listed(), [otra, auxiliar, again, director].map(({ access }) => sidOf(access)), 'the newest first')
  t.strictSame(await listed('--user', 'Director@demo.example'), [again, director].map(({ access }) => sidOf(access)))
  const [{ company }] = await server.psql("select company_id as company from users where email = 'director@otra.example'") as [{ company: number }]
  t.strictSame(await listed('--company', String(company)), [sidOf(otra.access)])
  t.strictSame(await listed('--user', 'auxiliar@demo.example', '--company', String(company)), [])

  await t.test('a list shows when sessions were created and refreshed, and when they end', async (t) => {
    await director.post('api-token-refresh/', { refresh: director.refresh })
    const shown = (await json(['list-sessions', '--user', 'director@demo.example'])).sessions
    const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
    t.match(shown[0], { email: 'director@demo.example', created_at: /Z$/, refreshed_at: shown[0].created_at })
    t.ok(shown[1].refreshed_at > shown[1].created_at)
    for (const { refreshed_at: from, ends_at: to } of shown) t.equal(Math.round(days(from, to)), 7, 'a session ends with its last refresh token')
    const { out } = await run(['list-sessions', '--user', 'auxiliar@demo.example'])
    t.match(out, /^SESSION +USER +CREATED \(UTC\) +REFRESHED +ENDS\n[0-9a-f-]{36} {2}auxiliar@demo\.example {2}(\d{4}-\d\d-\d\d \d\d:\d\d( {2}|\n)){3}$/)
    await server.psql("update sessions set created_at = created_at - interval '8 days' where id = $1", [sidOf(otra.access)])
    await server.psql("update refresh_tokens set created_at = created_at - interval '8 days' where session_id = $1", [sidOf(otra.access)])
    t.strictSame(await listed('--company', String(company)), [], 'a session whose refresh tokens have expired is not listed')
  })

  await t.test('a revoked session is 401 on the next request', async (t) => {
    t.match(await run(['revoke-sessions', '--session', sidOf(again.access)]), { error: undefined, out: 'sessions ended: 1\n' })
    t.strictSame([await alive(again), await alive(director), await alive(auxiliar)], [401, 200, 200])
    t.match(await run(['revoke-sessions', '--session', sidOf(again.access)]), { error: { message: `no such live session: ${sidOf(again.access)}` } })
    t.strictSame(await json(['revoke-sessions', '--user', 'DIRECTOR@demo.example']), { revoked: 1 })
    t.strictSame([await alive(director), await alive(auxiliar)], [401, 200])
    t.strictSame(await json(['revoke-sessions', '--user', 'director@demo.example']), { revoked: 0 })
    t.strictSame(await json(['revoke-sessions', '--all', '--yes']), { revoked: 2 })
    t.strictSame([await alive(auxiliar), await alive(otra)], [401, 401])
    t.equal((await server.as('auxiliar@demo.example')).access.length > 0, true, 'the user can log in again')
  })

  await t.test('revoke-sessions requires exactly one selection', async (t) => {
    const wrong: Array<[string[], string]> = [
      [[], 'pass exactly one of --user, --session, --all'],
      [['--all', '--yes', '--user', 'a@b.mx'], 'pass exactly one of --user, --session, --all'],
      [['--all'], 'this logs out all users: pass --yes'],
      [['--session', '7'], '7 is not a session id'],
      [['--user', 'nadie@demo.example'], 'no such user: nadie@demo.example']
    ]
    for (const [args, message] of wrong) t.match(await run(['revoke-sessions', ...args]), { out: '', error: { message } })
    t.equal((await listed()).length, 1, 'no session was revoked')
  })
})

t.test('a table can have 200,000 rows', async (t) => {
  const rows = Array.from({ length: 200_000 }, (_, row) => [String(row), 'x'])
  t.equal(table(['ID', 'X'], rows).split('\n').at(-1), '199999  x')
})
