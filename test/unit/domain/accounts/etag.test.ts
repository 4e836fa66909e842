import t from 'tap'
import { demoIds } from '../../../support/accounts.ts'
import { build } from '../../../support/helper.ts'

const server = await build(t)
const { as, psql } = server
const { customers, companies, users } = await demoIds(server)
const root = await as('superusuario@demo.example')
const [{ id: membership }] = await psql('select id from memberships order by id limit 1') as [{ id: number }]

/** Each resource with the id of a record, an SQL change and a PATCH. */
const resources = {
  customers: { id: customers['Grupo Otra'], sql: "update customers set nombre = 'Tocado' where id = $1", patch: { nombre: 'Parche' } },
  companies: { id: companies['Obra Sur'], sql: "update companies set nombre = 'Tocada' where id = $1", patch: { nombre: 'Parche' } },
  users: { id: users['sincompania@demo.example'], sql: "update users set nombre = 'Tocado' where id = $1", patch: { nombre: 'Parche' } },
  memberships: { id: membership, sql: 'update memberships set nivel_acceso = 3 where id = $1', patch: { nivel_acceso: 2 } }
}

for (const [resource, { id, sql, patch }] of Object.entries(resources)) {
  const one = `${resource}/${id}/`

  t.test(`${resource}: an unchanged record is 304, a changed one is 200`, async (t) => {
    for (const url of [`${resource}/`, one, `${one}?fields=id`, `${resource}/?fields=version`]) {
      const first = await root.get(url)
      const etag = String(first.headers.etag)
      t.match(etag, /^"[^"]+"$/, url)
      for (const given of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const same = await root.get(url, { 'if-none-match': given })
        t.equal(same.statusCode, 304, `${url} ${given}`)
        t.equal(same.body, '')
        t.equal(same.headers.etag, etag)
      }
      const head = await root.send('HEAD', url)
      t.equal(head.headers.etag, etag)
      t.equal(head.headers['content-length'], first.headers['content-length'])
      await psql(sql, [id])
      const changed = await root.get(url, { 'if-none-match': etag })
      t.equal(changed.statusCode, 200, url)
      t.not(changed.headers.etag, etag)
    }
  })

  t.test(`${resource}: If-Match limits a write to the version that was read`, async (t) => {
    const stale = String((await root.get(one)).headers.etag)
    await psql(sql, [id])
    const before = (await root.get(one)).json()
    for (const [method, body] of [['PATCH', patch], ['PUT', { ...before, ...patch }], ...(resource === 'users' || resource === 'memberships' ? [['DELETE'] as const] : [])] as const) {
      const refused = await root.send(method, one, body, { 'if-match': stale })
      t.equal(refused.statusCode, 412, method)
      t.equal(refused.json().code, 'precondition_failed')
    }
    t.strictSame((await root.get(one)).json(), before)

    const patched = await root.send('PATCH', one, patch, { 'if-match': String((await root.get(one)).headers.etag) })
    t.match(patched.json(), { ...patch, version: before.version + 1 })
    t.equal(patched.headers.etag, (await root.get(one)).headers.etag, 'the answer to a write has the next ETag')
    t.equal((await root.send('PUT', one, { ...before, ...patch }, { 'if-match': `W/${patched.headers.etag}` })).statusCode, 200)
    t.equal((await root.send('PATCH', one, {}, { 'if-match': '*' })).statusCode, 200)
    t.equal((await root.send('PATCH', one, {}, { 'if-match': '"x"' })).statusCode, 412)
  })

  t.test(`${resource}: an SQL write changes the ETag too`, async (t) => {
    const [before] = await psql(`select * from ${resource} where id = $1`, [id]) as [Record<string, unknown>]
    const [after] = await psql(`update ${resource} set version = 1, created_at = '2001-01-01', updated_at = '2001-01-01' where id = $1 returning *`, [id]) as [Record<string, unknown>]
    t.equal(after['version'], before['version'] as number + 1)
    t.equal(after['created_at'], before['created_at'])
    t.ok(String(after['updated_at']) > String(before['updated_at']))
    await t.rejects(psql(`update ${resource} set id = id + 1000000 where id = $1`, [id]), { code: '23514' })
  })
}
