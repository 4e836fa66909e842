import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { logOf } from '../../../../../support/log.ts'
import { call, tokensOf } from '../../../../../support/over-http.ts'
import { demoPlace, startServer } from '../../../../../support/process.ts'

t.test('no password and no hash is logged', async (t) => {
  const running = await startServer(t, await demoPlace(t), { LOG_LEVEL: 'trace', RATE_LIMIT: 'off' })
  const { access: token } = await tokensOf(running.origin, 'superusuario@demo.example', 'demo-obra-1')
  const post = async (path: string, body: object) => (await call(running.origin, 'POST', path, { token, body })).status
  t.equal(await post('users/', { email: 'log@demo.example', password: 'secreto-uno' }), 201)
  t.equal(await post('users/', { email: 'log@demo.example', password: 'secreto-dos' }), 400)
  t.equal(await post('users/', { email: 'mal', password: 'secreto' }), 400)
  t.equal(await post('me/password/', { current: 'secreto-tres', new: 'secreto-cuatro' }), 400)
  t.equal(await post('me/password/', { current: 'demo-obra-1', new: 'secreto-cinco' }), 204)
  await tokensOf(running.origin, 'superusuario@demo.example', 'secreto-cinco')
  const { code, stdout, stderr } = await running.end()
  t.equal(code, 0)
  t.match(stdout, '"level"')
  t.notMatch(stdout + stderr, /secreto|argon2id/)
})

t.test('database errors, which contain statements and rows, are logged without passwords and hashes', async (t) => {
  const { app, as, psql } = await build(t, { LOG_LEVEL: 'error' })
  const root = await as('superusuario@demo.example')
  const lines = logOf(app)

  await psql("create function boom() returns trigger language plpgsql as $$ begin raise exception 'boom'; end $$")
  await psql("create trigger boom before insert on users for each row when (new.nombre = 'boom') execute function boom()")
  await psql("alter table users add constraint never check (nombre <> 'never') not valid")
  const post = async (nombre: string) => await root.post('users/', { email: `${nombre}@demo.example`, password: 'secreto-seis', nombre })
  const boom = await post('boom')
  t.strictSame([boom.statusCode, boom.json()], [500, { detail: 'A server error occurred.', code: 'error' }])
  const never = await post('never')
  t.strictSame([never.statusCode, never.json().errors], [400, { non_field_errors: ['These values break a rule of the data.'] }])
  t.equal(lines.length, 2)
  t.match(lines[0], { err: { message: 'boom', code: 'P0001', stack: /boom\n {4}at / }, reqId: /./, msg: 'request failed' })
  t.match(JSON.stringify(lines[1]), 'violates check constraint')
  t.notMatch(JSON.stringify(lines), /secreto|argon2id|@demo\.example/)
})
