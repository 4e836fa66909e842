import t from 'tap'
import { build, buildOn, secret } from '../../support/helper.ts'
import { root, startServer } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { checkAuthority } from './checker.ts'

t.test('authority', async (t) => {
  const served = await build(t, { RATE_LIMIT: 'off' })
  const { app, env, psql } = served
  const here = await app.listen({ host: '127.0.0.1', port: 0 })

  await t.test('every change takes effect at the next request in every process', async (t) => {
    // Only one process can open the embedded database, so its second server is in this process.
    const other = server === undefined
      ? await (await buildOn(t, { ...served.database, close: async () => {} }, { RATE_LIMIT: 'off' })).listen({ host: '127.0.0.1', port: 0 })
      : (await startServer(t, { dir: root, dataDir: '', env }, { JWT_SECRET: secret, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' })).origin
    const { answers, violations } = await checkAuthority(served, [here, other], { users: 4 })
    t.strictSame(violations, [])
    for (const answer of ['list 200', 'list 401 token_not_valid', 'list 401 user_inactive', 'list 403', 'change 404', 'change 403', 'remove 404', 'remove 403']) t.ok((answers.get(answer) ?? 0) > 0, answer)
  })

  const triggers: Array<[table: string, trigger: string, change: string]> = [
    ['users', 'raise_authority', 'active company, by psql'],
    ['sessions', 'raise_authority_update', 'session revoked, by psql'],
    ['sessions', 'raise_authority_delete', 'session deleted, by psql'],
    ['memberships', 'raise_authority', 'level, by psql'],
    ['companies', 'raise_authority', 'customer of the company, by psql']
  ]
  for (const [table, trigger, change] of triggers) {
    await t.test(`detects a missing trigger ${trigger} on ${table}`, async (t) => {
      await psql(`alter table ${table} disable trigger ${trigger}`)
      t.teardown(async () => await psql(`alter table ${table} enable trigger ${trigger}`))
      const { violated } = await checkAuthority(served, [here], { users: 1, names: [change] })
      t.ok(violated > 0)
    })
  }

  await t.test('detects a server that reads old authority revisions', async (t) => {
    const { sql } = app.database
    const { query } = sql
    const old = new Map<string, ReturnType<typeof query>>()
    sql.query = async (statement) => {
      if (statement.name !== 'revisions') return await query(statement)
      const key = JSON.stringify(statement.values)
      if (!old.has(key)) old.set(key, query(statement))
      return await (old.get(key) as ReturnType<typeof query<never>>)
    }
    t.teardown(() => { sql.query = query })
    const { violated } = await checkAuthority(served, [here], { users: 1, names: ['level, by psql'] })
    t.ok(violated > 0)
  })
})
