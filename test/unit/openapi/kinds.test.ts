import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import openapi from '../../../plugins/openapi.ts'
import { kinds, type RouteKind } from '../../../src/http/route-kinds.ts'
import { buildWith } from '../../support/extra-routes.ts'

const response = { 200: Type.Object({ ok: Type.Boolean() }) }

t.test('the server does not start if a route of the document declares no kind', async (t) => {
  const app = Fastify()
  t.teardown(async () => await app.close())
  await app.register(openapi)
  app.get('/hidden/', { schema: { hide: true } }, async () => ({}))
  app.get('/declared/', { config: { kind: kinds.probe }, schema: { response } }, async () => ({ ok: true }))
  t.throws(() => app.get('/forgotten/', { schema: { response } }, async () => ({ ok: true })), { message: 'GET /forgotten/ declares no kind' })
  await t.rejects(buildWith(t, app => { app.post('/api/v1/forgotten/', { config: { access: 'read' } }, async () => ({})) }), { message: 'POST /api/v1/forgotten/ declares no kind' })
})

t.test('the declaration of a route is all that the document needs', async (t) => {
  const { app } = await buildWith(t, (app) => {
    const add = (name: string, kind: RouteKind, config: object = {}) => app.post(`/api/v1/${name}/:id/`, {
      config: { access: 'edit', kind, ...config }, schema: { tags: ['contracts'], operationId: name, summary: name, response }
    }, async () => ({ ok: true }))
    add('own', { takes: ['IfMatch', 'Prefer'], sends: ['Location'], fails: ['NotFound', 'NothingFails', 'RangeNotSatisfiable'] }, { exampleId: 12 })
    add('plain', {})
    add('device', { fails: ['ForbiddenToDevice'], sendsOnError: { every: ['Tus-Resumable'], 403: ['Tus-Version'] } })
  })
  const { paths } = await app.openapi() as any
  const described = (name: string) => paths[`/api/v1/${name}/{id}/`].post
  const answers = (name: string) => Object.keys(described(name).responses)
  const own = described('own')
  t.strictSame(answers('own'), ['200', '400', '401', '403', '404', '406', '409', '416', '429', '500', '503'])
  t.strictSame(own.responses[409], { $ref: '#/components/responses/NothingFails' })
  t.match(own.responses[416], { description: 'The file does not have the range.' }, 'an answer that is no component is complete')
  t.ok(own.responses[200].headers.Location)
  t.equal(own.parameters.find(({ in: place }: { in?: string }) => place === 'path').example, 12)
  t.strictSame(own.parameters.flatMap(({ $ref }: { $ref?: string }) => $ref?.split('/').at(-1) ?? []), ['AcceptLanguage', 'RequestId', 'IfMatch', 'Prefer'])
  t.strictSame(answers('plain'), ['200', '400', '401', '403', '406', '429', '500', '503'], 'an id in the URL, and the method, add nothing')
  const { responses } = described('device')
  t.match(responses[403].description, /^The device belongs to another user/, 'an answer of the kind replaces that of the access')
  t.strictSame([401, 403].map(status => Object.keys(responses[status].headers).filter(name => name.startsWith('Tus-'))), [['Tus-Resumable'], ['Tus-Version']])
})
