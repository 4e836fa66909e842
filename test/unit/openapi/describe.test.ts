import type { RouteOptions } from 'fastify'
import t from 'tap'
import { describe } from '../../../src/openapi/document.ts'

const answer = { type: 'object', properties: { old: { type: 'string', deprecated: true }, kept: { type: 'string' } } }
const route = (url: string, deprecated?: boolean): RouteOptions => ({
  method: 'GET', url, schema: { operationId: 'retrieveThing', summary: 'Thing', tags: ['health'], ...deprecated === undefined ? {} : { deprecated }, response: { 200: answer } }, handler: async () => ({})
})

t.test('a deprecated operation or field is marked', async (t) => {
  const { paths } = await describe([route('/old', true), route('/kept')]) as any
  t.strictSame([paths['/old/'].get.deprecated, paths['/kept/'].get.deprecated], [true, undefined])
  const { old, kept } = paths['/old/'].get.responses[200].content['application/json'].schema.properties
  t.strictSame([old.deprecated, kept.deprecated], [true, undefined])
})

t.test('with the address of the service, it is the only server', async (t) => {
  const urls = async (url?: string) => (await describe([], url)).servers?.map(server => server.url)
  t.strictSame(await urls('https://api.example.mx'), ['https://api.example.mx'])
  t.strictSame(await urls(), ['/', 'http://127.0.0.1:3000'])
})
