import type { FastifyRequest } from 'fastify'
import fc from 'fast-check'
import t from 'tap'
import { envelope, pick } from '../../../../src/resources/reading/handlers.ts'
import { character } from '../../../support/character.ts'

const page = (number: number, cursor: string | null = null) => ({ revision: 1, stamp: 1, count: 9, page: number, results: [], cursor })
const links = (url: string, number: number, cursor: string | null = null) => {
  const { next, previous } = envelope(page(number, cursor), 'https://obra.example', { url } as FastifyRequest)
  return { next, previous }
}

t.test('links lead to the next and the previous page', async (t) => {
  t.strictSame(links('/a/', 1), { next: null, previous: null })
  t.strictSame(links('/a/', 1, 'C'), { next: 'https://obra.example/a/?cursor=C&page=2', previous: null })
  t.strictSame(links('/a?page=2&cursor=B&z=1&b=2', 2, 'C'), { next: 'https://obra.example/a/?b=2&cursor=C&page=3&z=1', previous: 'https://obra.example/a/?b=2&z=1' })
  t.strictSame(links('/a?page=3', 3), { next: null, previous: 'https://obra.example/a/?page=2' })
})

t.test('links keep all other parameters, sorted by name', async () => {
  const parameters = fc.array(fc.tuple(fc.constantFrom('search', 'folio', 'a', 'z', 'ordering'), fc.string({ unit: character })), { maxLength: 6 })
  fc.assert(fc.property(parameters, fc.boolean(), (given, bare) => {
    // Some clients do not escape `?` and `/` in a query.
    const query = new URLSearchParams(given).toString().replaceAll('%3F', '?').replaceAll('%2F', '/')
    const { next, previous } = links(`/a${bare ? '' : '/'}?${query}`, 3, 'C')
    const expected = given.toSorted(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
    for (const [link, own] of [[next, { cursor: 'C', page: '4' }], [previous, { page: '2' }]] as const) {
      const url = new URL(link as string)
      const found = [...url.searchParams]
      const names = found.map(([name]) => name)
      if (url.pathname !== '/a/' || JSON.stringify(names) !== JSON.stringify(names.toSorted())) return false
      for (const [name, value] of Object.entries(own)) if (url.searchParams.get(name) !== value) return false
      if (JSON.stringify(found.filter(([name]) => !(name in own))) !== JSON.stringify(expected)) return false
    }
    return true
  }))
})

t.test('a record with selected fields keeps the order of its fields', async (t) => {
  t.strictSame(Object.entries(pick({ id: 1, folio: 'A', monto: '1.00', none: null }, ['none', 'monto', 'id'])), [['id', 1], ['monto', '1.00'], ['none', null]])
})
