import { fastifySSE } from '@fastify/sse'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import deprecation from '../../../plugins/deprecation.ts'
import { defineResource } from '../../../src/domain/define.ts'
import { deprecationHeaders, deprecationsIn, type Deprecation } from '../../../src/http/deprecation.ts'
import { kinds } from '../../../src/http/route-kinds.ts'
import { text } from '../../../src/resources/declaration/fields.ts'
import { buildWith } from '../../support/extra-routes.ts'

const notice: Deprecation = { since: '2027-03-01', sunset: '2028-03-01', instead: 'Use `contracts/`.' }
const headers = { deprecation: '@1803859200', sunset: 'Wed, 01 Mar 2028 00:00:00 GMT' }
const later: Deprecation = { since: '2027-06-01', sunset: '2028-09-01', instead: 'Use `folio`.' }

t.test('all answers of an operation with a deprecated part have the headers, and the document marks the part', async (t) => {
  const answer = Type.Object({ old: Type.Optional(Type.String({ description: 'An old field.', deprecated: later })), kept: Type.String() })
  const { app } = await buildWith(t, (app) => {
    const add = (name: string, config: object, querystring: object, response: object) => app.get(`/api/v1/${name}/`, {
      onRequest: app.authorizeRoute, config: { access: 'account', kind: kinds.read, ...config }, schema: { operationId: name, summary: name, tags: ['health'], querystring, response: { 200: response } }
    }, async (_request, reply) => await reply.header('etag', '"1"').send({ old: 'o', kept: 'k' }))
    const plain = Type.Object({ kept: Type.String() })
    const query = Type.Object({ mode: Type.Optional(Type.Integer({ description: 'A mode.' })) })
    add('operation', { deprecated: notice }, query, plain)
    add('field', {}, query, answer)
    add('parameter', {}, Type.Object({ mode: Type.Optional(Type.Integer({ description: 'A mode.', deprecated: notice })) }), plain)
    add('unchanged', {}, query, Type.Object({ kept: Type.String(), deprecated: Type.Optional(Type.Object({ since: Type.String() })) }))
  })
  const ask = async (url: string, authorization?: string) => await app.inject({ url: `/api/v1/${url}`, headers: authorization === undefined ? {} : { authorization } })
  const { access } = (await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'director@demo.example', password: 'demo-obra-1' } })).json()

  for (const name of ['operation', 'parameter']) {
    const answers = [await ask(`${name}/`, `Bearer ${access}`), await ask(`${name}/?mode=x`, `Bearer ${access}`), await ask(`${name}/`)]
    t.strictSame(answers.map(({ statusCode }) => statusCode), [200, 400, 401], name)
    for (const one of answers) t.match(one.headers, headers, `${name}: ${one.statusCode}`)
  }
  t.match((await app.inject({ method: 'HEAD', url: '/api/v1/operation/', headers: { authorization: `Bearer ${access}` } })).headers, headers)
  t.match((await ask('field/', `Bearer ${access}`)).headers, { deprecation: '@1811808000', sunset: 'Fri, 01 Sep 2028 00:00:00 GMT' })
  const { deprecation, sunset } = (await ask('unchanged/', `Bearer ${access}`)).headers
  t.strictSame([deprecation, sunset], [undefined, undefined])

  const { paths } = await app.openapi() as any
  const described = (name: string) => paths[`/api/v1/${name}/`].get
  t.equal(described('operation').deprecated, true)
  t.match(described('operation').description, 'Deprecated since 2027-03-01. A release from 2028-03-01 on can remove it. Use `contracts/`.')
  t.match(described('parameter').parameters.find(({ name }: { name: string }) => name === 'mode'), { deprecated: true, description: /^A mode\. Deprecated since 2027-03-01/ })
  const { old, kept } = described('field').responses[200].content['application/json'].schema.properties
  t.match(old, { type: 'string', deprecated: true, description: 'An old field. Deprecated since 2027-06-01. A release from 2028-09-01 on can remove it. Use `folio`.' })
  t.strictSame([kept.deprecated, described('field').deprecated, described('unchanged').deprecated], [undefined, undefined, undefined])
})

t.test('a deprecated stream of events has the headers', async (t) => {
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(fastifySSE)
  await app.register(deprecation)
  app.get('/', { sse: 'manual', config: { access: 'public', deprecated: notice } }, async (_request, { sse }) => {
    sse.sendHeaders()
    sse.close()
  })
  t.match((await app.inject({ url: '/' })).headers, { 'content-type': 'text/event-stream', ...headers })
})

t.test('deprecated: true, which has no days, is refused', async (t) => {
  const refused = { message: 'deprecated: true has no days: give since, sunset and instead' }
  t.throws(() => deprecationsIn(Type.Object({ old: Type.String({ deprecated: true }) })), refused)
  t.strictSame(deprecationsIn({ default: { deprecated: true } }), [], 'data')
  t.strictSame(deprecationsIn(Type.Object({ default: Type.String({ deprecated: notice }) })), [notice], 'a field of this name')
  await t.rejects(buildWith(t, (app) => {
    app.get('/api/v1/old/', { config: { access: 'public', kind: kinds.read }, schema: { deprecated: true } }, async () => ({}))
  }), refused)
})

t.test('a deprecated field of a resource is marked in its answers and bodies', async (t) => {
  const { schemas } = defineResource({
    name: 'cosas',
    title: 'Cosa',
    one: 'a thing',
    many: 'things',
    spanish: { one: 'una cosa', many: 'cosas' },
    fields: { viejo: text(5).deprecated(notice), nuevo: text(5) },
    search: { columns: [] }
  })
  for (const schema of [schemas.record, schemas.page, schemas.create, schemas.patch]) t.strictSame(deprecationsIn(schema), [notice])
})

t.test('several deprecations have the first time of each header, and at least 12 months', (t) => {
  t.strictSame(deprecationHeaders([later, notice]), headers)
  t.throws(() => deprecationHeaders([{ ...notice, sunset: '2028-02-29' }]), { message: 'the sunset 2028-02-29 is less than 12 months after 2027-03-01' })
  t.throws(() => deprecationHeaders([{ ...notice, sunset: 'soon' }]), { message: 'the sunset soon is less than 12 months after 2027-03-01' })
  t.end()
})
