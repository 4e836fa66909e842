import t from 'tap'
import { build } from '../../../support/helper.ts'

t.test('an SQL write to an account changes its ETag, and the id cannot change', async (t) => {
  const { as, psql } = await build(t)
  const root = await as('superusuario@demo.example')
  for (const resource of ['customers', 'companies', 'users', 'memberships']) {
    const [before] = await psql(`select * from ${resource} order by id limit 1`) as [Record<string, unknown>]
    const url = `${resource}/${before['id']}/`
    const { etag } = (await root.get(url)).headers
    const [after] = await psql(`update ${resource} set version = 1, created_at = '2001-01-01', updated_at = '2001-01-01' where id = $1 returning *`, [before['id']]) as [Record<string, unknown>]
    t.equal(after['version'], before['version'] as number + 1)
    t.equal(after['created_at'], before['created_at'])
    t.ok(String(after['updated_at']) > String(before['updated_at']))
    t.equal((await root.get(url, { 'if-none-match': etag as string })).statusCode, 200, resource)
    await t.rejects(psql(`update ${resource} set id = id + 1000000 where id = $1`, [before['id']]), { code: '23514' })
  }
})
