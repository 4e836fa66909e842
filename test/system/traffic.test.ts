import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyReply } from 'fastify'
import t from 'tap'
import openapi from '../../plugins/openapi.ts'
import { kinds } from '../../src/http/route-kinds.ts'
import { describeService } from '../../src/server/describe-service.ts'
import { buildWith } from '../support/extra-routes.ts'
import { Contract, type Exchange } from '../support/openapi/contract.ts'
import { holdToDocument } from '../support/openapi/traffic.ts'

const document = await describeService() as any
const contract = (change: (document: any) => void) => {
  const changed = structuredClone(document)
  change(changed)
  return new Contract(changed)
}
const listed = (change: (operation: any) => void) => contract(changed => change(changed.paths['/api/v1/contracts/'].get))
const list: Exchange = { method: 'GET', url: '/api/v1/contracts/?page=1', status: 200, headers: { etag: '"1"', date: '' }, body: '{"count":0,"next":null,"previous":null,"results":[]}' }
const whole = new Contract(document)

t.test('a declared answer passes, also to HEAD and without the trailing slash', async (t) => {
  t.equal(whole.broken(list), undefined)
  t.equal(whole.broken({ ...list, method: 'HEAD', body: '' }), undefined)
  t.equal(whole.broken({ ...list, url: '/api/v1/contracts' }), undefined)
  t.equal(whole.broken({ ...list, url: '/api/v1/contracts/bulk/', method: 'POST', status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '{"detail":"x","code":"not_authenticated"}' }), undefined)
})

t.test('a status, header, method, path or field that is removed from the document is reported', async (t) => {
  t.match(listed(({ responses }) => { delete responses[200] }).broken(list), 'GET /api/v1/contracts/: 200 is not in the document')
  t.match(listed(({ responses }) => { delete responses[200].headers.ETag }).broken(list), '200 with etag, which the document does not have')
  t.match(contract(({ components }) => { delete components.responses.Unauthorized.headers['WWW-Authenticate'] })
    .broken({ ...list, status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '{"detail":"x","code":"not_authenticated"}' }), '401 with www-authenticate')
  t.match(contract(({ paths }) => { delete paths['/api/v1/contracts/'].get }).broken(list), 'is not in the document and is answered with 200')
  t.match(contract(({ paths }) => { delete paths['/api/v1/contracts/'] }).broken(list), 'is not in the document and is answered with 200')
  t.match(contract(({ components }) => { components.schemas.ContractPage.required.push('total') }).broken(list), "200  must have required property 'total'")
})

t.test('a body that contradicts the document is reported; a partial body with ?fields passes', async (t) => {
  t.match(whole.broken({ ...list, body: '{"count":"0","next":null,"previous":null,"results":[]}' }), '/count must be integer')
  t.match(whole.broken({ ...list, body: '{"count":1,"next":null,"previous":null,"results":[{"id":1}]}' }), "/results/0 must have required property 'company'")
  t.match(whole.broken({ ...list, status: 304 }), '304 has a body')
  const narrowed = { ...list, url: `${list.url}&fields=id` }
  t.equal(whole.broken({ ...narrowed, body: '{"count":1,"next":null,"previous":null,"results":[{"id":1}]}' }), undefined)
  t.match(whole.broken({ ...narrowed, body: '{"count":1,"next":null,"previous":null,"results":[{"id":"1"}]}' }), '/results/0/id must be integer')
  t.match(whole.broken({ ...list, status: 404, headers: {}, body: '{"detail":"x","code":"nothing"}' }), '/code must be equal to constant')
  t.match(whole.broken({ ...list, status: 403, headers: {}, body: '{"detail":"x","code":"nothing"}' }), '/code must be equal to one of the allowed values')
})

t.test('a promised header that is missing or invalid is reported', async (t) => {
  t.match(whole.broken({ ...list, headers: {} }), '200 with etag: undefined, which the document has otherwise')
  const late = { ...list, status: 503, body: '{"detail":"x","code":"unavailable"}' }
  t.equal(whole.broken({ ...late, headers: { 'retry-after': '30' } }), undefined)
  for (const seconds of ['0', 'soon']) t.match(whole.broken({ ...late, headers: { 'retry-after': seconds } }), `503 with retry-after: ${seconds}`)
})

t.test('answers over sockets are checked against the document, headers and body, when the test ends', async (t) => {
  const response = { 200: Type.Object({ ok: Type.Boolean() }) }
  const over = async (handler: (reply: FastifyReply) => FastifyReply) => {
    const app = Fastify()
    t.teardown(async () => await app.close())
    await app.register(openapi)
    app.get('/own/', { config: { kind: kinds.probe }, schema: { response } }, async (_request, reply) => await handler(reply))
    const ends: Array<() => Promise<void>> = []
    holdToDocument({ teardown: (end: () => Promise<void>) => ends.push(end) } as unknown as typeof t, app)
    t.equal((await fetch(`${await app.listen({ host: '127.0.0.1', port: 0 })}/own/`)).status, 200)
    return await ends[0]?.().then(() => 'in order', error => error.message)
  }
  t.equal(await over(reply => reply.send({ ok: true })), 'in order')
  t.match(await over(reply => reply.header('x-own', '1').send({ ok: true })), '200 with x-own, which the document does not have')
  t.match(await over(reply => reply.type('application/json').serializer(String).send('{"ok":"yes"}')), '/ok must be boolean')
})

t.test('without a route, only 401, 404, 405 and OPTIONS are permitted', async (t) => {
  const answer = (method: string, url: string, status: number) => whole.broken({ method, url, status, headers: { allow: 'GET' } })
  for (const status of [401, 404, 405, 406]) t.equal(answer('GET', '/api/v1/nothing/', status), undefined)
  t.equal(answer('DELETE', '/api/v1/contracts/', 405), undefined)
  t.equal(answer('OPTIONS', '/api/v1/contracts/7/', 204), undefined)
  t.match(answer('OPTIONS', '/api/v1/nothing/', 204), 'is not in the document')
  t.match(answer('GET', '/api/v1/nothing/', 200), 'is not in the document')
})

t.test('a test whose route sends an undeclared answer fails at that request', async (t) => {
  const { app } = await buildWith(t, (app) => {
    const response = { 200: Type.Object({ ok: Type.Boolean() }) }
    app.get('/declared/', { config: { kind: kinds.probe }, schema: { response } }, async () => ({ ok: true }))
    app.get('/undeclared/', { config: { kind: kinds.probe }, schema: { response } }, async (_request, reply: FastifyReply) => await reply.code(202).send({ ok: true }))
    app.get('/header/', { config: { kind: kinds.probe }, schema: { response } }, async (_request, reply) => await reply.header('x-own', '1').send({ ok: true }))
    app.get('/body/', { config: { kind: kinds.probe }, schema: { response } }, async (_request, reply) => await reply.type('application/json').serializer(String).send('{"ok":"yes"}'))
    app.get('/hidden/', { schema: { hide: true } }, async (_request, reply) => await reply.code(202).send({}))
  })
  t.equal((await app.inject('/declared/')).statusCode, 200)
  await t.rejects(async () => await app.inject('/undeclared/'), { message: /202 is not in the document/ })
  await t.rejects(async () => await app.inject('/header/'), { message: /x-own, which the document does not have/ })
  await t.rejects(async () => await app.inject('/body/'), { message: /ok must be boolean/ })
  t.equal((await app.inject('/hidden/')).statusCode, 202)
})
