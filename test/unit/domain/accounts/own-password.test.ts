import t from 'tap'
import { changeOwnPassword, ownPassword } from '../../../../src/domain/accounts/own-password.ts'
import { hashPassword, verifyPassword } from '../../../../src/auth/passwords.ts'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { openTestDatabase } from '../../../support/helper.ts'

t.test('only a live session changes a password', async (t) => {
  const { database: { lone }, psql } = await openTestDatabase(t)
  const [{ id: user }] = await psql("select id from users where email = 'director@demo.example'") as [{ id: number }]
  const session = async (of: number) => (await psql("insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), $1, now() + interval '1 hour') returning id", [of]))[0]?.['id'] as string
  const [ended, another, live] = [await session(user), await session(user + 1), await session(user)]
  const encoded = await hashPassword('otra clave nueva')
  const kept = await ownPassword(lone, user)
  t.equal(await verifyPassword(kept.encoded, demoPassword), true)
  await psql('update sessions set revoked_at = now() where id = $1', [ended])
  for (const sid of [ended, another]) t.equal(await changeOwnPassword(lone, { user, sid }, kept, encoded), false)
  t.strictSame(await ownPassword(lone, user), kept)
  t.strictSame(await psql('select from sessions where id = $1 and revoked_at is not null', [live]), [], 'and no session ends')
  t.equal(await changeOwnPassword(lone, { user, sid: live }, kept, encoded), true)
  t.equal(await verifyPassword((await ownPassword(lone, user)).encoded, 'otra clave nueva'), true)
})
