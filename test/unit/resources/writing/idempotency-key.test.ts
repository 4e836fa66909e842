import type { FastifyRequest } from 'fastify'
import t from 'tap'
import { keyNumbers } from '../../../../src/database/connection/advisory-locks.ts'
import { idempotencyKey } from '../../../../src/resources/writing/idempotency.ts'

const of = async (header: string, input: unknown = {}, company: number | null = 1, level = 2, customer: number | null = 4) => await idempotencyKey(header, {
  caller: { user: 7, sid: '', customer }, routeOptions: { url: '/api/v1/contracts/' }, server: { keyNumber: keyNumbers('secret') }
} as unknown as FastifyRequest, { company, level }, input)

t.test('a key belongs to a user, company, route, level and customer', async (t) => {
  t.match(await of('k'), { user: 7, company: 1, route: '/api/v1/contracts/', key: 'k', reach: '2:4' })
  t.match(await of('k', {}, null), { company: null })
  const reaches = await Promise.all([of('k', {}, 1, 3, 41), of('k', {}, null, 6, null), of('k', {}, null, 6, 2_147_483_647)])
  t.strictSame(reaches.map(key => key?.reach), ['3:41', '6:', '6:2147483647'])
})

t.test('different inputs have different digests, equal inputs have the same', async (t) => {
  const digestOf = async (input: unknown) => (await of('k', input))?.digest.toString('hex')
  const digests = await Promise.all([{}, { values: { monto: '1.00' } }, { values: { monto: '1.01' } }, { values: { monto: '1.00' }, problems: [{ field: 'x' }] }, []].map(digestOf))
  t.equal(new Set(digests).size, digests.length)
  t.equal((await of('k', { a: 1 }))?.digest.length, 32)
  t.equal(await digestOf({ a: 1, b: [{ c: 1, d: null }] }), await digestOf({ b: [{ d: null, c: 1 }], a: 1 }), 'in any order of fields')
  t.not(await digestOf([1, 2]), await digestOf([2, 1]))
})
