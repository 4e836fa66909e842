import type { RouteOptions } from 'fastify'
import t from 'tap'
import { Addresses } from '../../../src/server/addresses.ts'

const handler = async () => {}

t.test('addresses', async (t) => {
  const addresses = new Addresses()
  const add = (method: string | string[], url: string, access?: string) => addresses.add({ method, url, handler, config: access === undefined ? undefined : { access } } as RouteOptions)
  add('GET', '/api/v1/contracts/', 'read')
  add('HEAD', '/api/v1/contracts/', 'read')
  add('POST', '/api/v1/contracts', 'edit')
  add(['PUT', 'PATCH'], '/api/v1/contracts/:id/', 'edit')
  add('POST', '/api/v1/contracts/bulk/', 'edit')
  add('POST', '/api/v1/api-token-auth/', 'public')
  add('GET', '/health/')

  t.test('are found with and without the trailing slash, with any query and any parameter', async (t) => {
    for (const url of ['/api/v1/contracts/', '/api/v1/contracts', '/api/v1/contracts/?a=/b/', '/api/v1/contracts?']) t.equal(addresses.find(url)?.allow, 'GET, HEAD, OPTIONS, POST', url)
    for (const url of ['/api/v1/contracts/1/', '/api/v1/contracts/x%20y', '/api/v1/contracts/1?b']) t.equal(addresses.find(url)?.allow, 'OPTIONS, PATCH, PUT', url)
  })

  t.test('without parameters take precedence over those with, and have their own methods', async (t) => {
    for (const url of ['/api/v1/contracts/bulk/', '/api/v1/contracts/bulk', '/api/v1/contracts/bulk/?a=1']) t.equal(addresses.find(url)?.allow, 'OPTIONS, POST', url)
    t.strictSame([...addresses.shadowed()], [['/api/v1/contracts/bulk', ['PUT', 'PATCH']]])
  })

  t.test('without a route are unknown', async (t) => {
    for (const url of ['/', '/api/v1/', '/api/v1/contracts/1/2/', '/api/v1/contracts//', '/api/v1/contractsx/', '/x/api/v1/contracts/', '/?/api/v1/contracts/']) t.equal(addresses.find(url), undefined, url)
  })

  t.test('require a token for a wrong method if their route requires one', async (t) => {
    t.equal(addresses.find('/api/v1/contracts/')?.access, 'account')
    t.equal(addresses.find('/api/v1/api-token-auth/')?.access, 'public')
    t.equal(addresses.find('/health')?.access, 'public')
  })
})
