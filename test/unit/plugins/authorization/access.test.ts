import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type RouteOptions } from 'fastify'
import t from 'tap'
import obra from '../../../../src/app.ts'
import { loadConfig } from '../../../../src/config.ts'
import { demoIds, denied, missing } from '../../../support/accounts.ts'
import { build, openTestDatabase, secret } from '../../../support/helper.ts'
import { accessDocument } from './access-document.ts'
import { accessTable, callers } from './access-table.ts'
import { fixtures } from './access-fixtures.ts'

const server = await build(t, { RATE_LIMIT: 'off', DATA_DIR: t.testdir() })
const { as, psql } = server
const ids = await demoIds(server)
const of = fixtures(server, ids)
const accountRoutes = /^(customers|companies|users|memberships)\//
await psql('update users set company_id = $1 where email <> $2', [ids.companies['Obra Norte'], callers.none])

for (const [column, [name, email]] of Object.entries(callers).entries()) {
  t.test(`${name} gets the statuses of the table`, async (t) => {
    const client = await as(email)
    for (const { method, path, to, whose, statuses } of accessTable) {
      const fixture = of[path.split('/', 1)[0]]
      const id = path.includes(':id') ? await fixture.make(whose, to) : undefined
      const one = method === 'GET' || method === 'DELETE' ? undefined : await fixture.body(method, whose, id, to)
      const body = path.endsWith('/bulk/') ? { items: [one] } : one
      const isUpload = path.endsWith('/contenido/') && method !== 'GET'
      const file = isUpload ? await fixture.file?.(Number(id)) : undefined
      const tus = { 'tus-resumable': '1.0.0', 'upload-length': String(file?.length), 'upload-offset': '0' }
      const types: Record<string, object> = { PUT: { 'content-type': 'image/jpeg' }, PATCH: { 'content-type': 'application/offset+octet-stream' } }
      const sent = !isUpload ? body : method === 'POST' ? undefined : file
      const response = await client.send(method, path.replace(':id', String(id)), sent, isUpload ? { ...tus, ...types[method] } : {})
      const what = `${method} ${path}${to === undefined ? '' : ` to ${to}`}, ${whose}`
      t.equal(response.statusCode, statuses[column], what)
      if (response.statusCode === 404) t.strictSame(response.json(), missing, what)
      if (response.statusCode !== 403) continue
      if (column === 0 && !accountRoutes.test(path)) t.equal(response.json().code, 'no_active_company', what)
      else t.strictSame(response.json(), denied, what)
    }
  })
}

t.test('the table has every route that is not public, except the token routes and the stream of revisions', async (t) => {
  const { database } = await openTestDatabase(t)
  const app = Fastify()
  t.teardown(async () => await app.close())
  const routes: string[] = []
  app.addHook('onRoute', ({ method, url, config }: RouteOptions) => {
    if (config?.access === undefined || config.access === 'public' || url.includes('/api-token-') || url.includes('/changes/events')) return
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push(`${one} ${url.replace('/api/v1/', '').replace(/\/?$/, '/')}`)
  })
  await app.register(obra, { config: { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: secret }, database })
  await app.ready()
  t.ok(routes.length > 20)
  const listed = new Set(accessTable.map(({ method, path }) => `${method} ${path}`))
  t.strictSame([...new Set(routes)].filter(route => !listed.has(route)), [])
})

t.test('docs/reference/access.md has the generated table', async (t) => {
  const document = readFileSync(join(import.meta.dirname, '../../../../docs/reference/access.md'), 'utf8')
  const shown = /<!-- access -->\n([\s\S]*?)\n<!-- \/access -->/.exec(document)?.[1]
  t.equal(shown?.trim(), accessDocument(), 'put the output of `node test/unit/plugins/authorization/access-document.ts` between <!-- access --> and <!-- /access --> in docs/reference/access.md')
})
