import assert from 'node:assert/strict'
import { pick } from '../../test/support/trial/random.ts'
import {
  always, each, folioOf, following, list, numbered, pagesOf, pageSize, range, someId, type Company, type Page, type TimedRequest
} from './requests.ts'

/** A kind of request to a company. */
export interface Kind<C = Company> {
  name: string
  about: string
  /** Whether its growth must stay below the bar. The other kinds find more in a larger company, or are informative. */
  bar: boolean
  /** Returns a function that makes the next request from the last answer. */
  next: (company: C) => (last: Page) => TimedRequest
  /** @throws {Error} if the answer is wrong */
  check: (body: Page & { descripcion?: string }, company: C) => void
}

const isPage = (body: Page, { size }: Company) => {
  assert.equal(body.count, size)
  assert.equal(body.results.length, pageSize)
}
const isBounded = (body: Page, { size }: Company) => {
  assert.deepEqual([body.count, body.count_exact], [Math.min(size, 10_000), size <= 10_000])
  assert.equal(body.results.length, pageSize)
}
const findsOne = (body: Page) => assert.deepEqual([body.count, body.results.length], [1, 1])
const findsNone = (body: Page) => assert.deepEqual([body.count, body.results.length], [0, 0])
const findsSome = (body: Page) => assert.ok(body.count > 0 && body.results.length > 0)

/** All kinds, in order of execution. */
export const kinds: Kind[] = [
  { name: 'page-1', about: 'the first page of the list', bar: true, next: always(''), check: isPage },
  {
    name: 'count',
    about: '`count`, with a page of one',
    bar: true,
    next: always('?page_size=1'),
    check: (body, { size }) => assert.equal(body.count, size)
  },
  {
    name: 'detail',
    about: 'a random contract',
    bar: true,
    next: each(company => `${list}${someId(company)}/`),
    check: body => assert.equal(typeof body.descripcion, 'string')
  },
  { name: 'next-first', about: '`next` from page 1 on', bar: true, next: following(() => list), check: isPage },
  {
    name: 'next-last',
    about: '`next` to the last page (50,000 of 1,000,000), from 20 before it',
    bar: true,
    next: following(company => `${list}?page=${pagesOf(company) - 20}`),
    check: isPage
  },
  {
    name: 'folio',
    about: '`folio=`, one found',
    bar: true,
    next: numbered((n, company) => `?folio=${folioOf(company, n)}`),
    check: findsOne
  },
  {
    name: 'search-folio',
    about: '`search=` a whole folio',
    bar: true,
    next: numbered((n, company) => `?search=${folioOf(company, n)}`),
    check: findsOne
  },
  {
    name: 'search-number',
    about: '`search=` the digits of its number, one found',
    bar: true,
    next: numbered(n => `?search=${n}`),
    check: findsOne
  },
  { name: 'search-none', about: '`search=`, none found', bar: true, next: always('?search=xyzzy'), check: findsNone },
  { name: 'external-id', about: '`external_id=`, none found', bar: false, next: numbered(n => `?external_id=x${n}`), check: findsNone },
  {
    name: 'updated-none',
    about: '`updated_since=`, none found',
    bar: false,
    next: always('?updated_since=2999-01-01T00:00:00Z'),
    check: findsNone
  },
  {
    name: 'party',
    about: '`contraparte=`, ten found',
    bar: false,
    next: each(({ size, random }) => `${list}?contraparte=${1 + Math.floor(random() * (size / 10))}`),
    check: findsSome
  },
  {
    name: 'children',
    about: '`parent=`, nine or ten found',
    bar: false,
    next: each(({ first, size, random }) => `${list}?parent=${first + 10 * Math.floor(random() * (size / 100))}`),
    check: body => assert.ok(body.count <= 10)
  },
  {
    name: 'ancestors',
    about: 'ancestors of a contract',
    bar: false,
    next: each(company => `${list}${someId(company)}/ancestors/`),
    check: body => assert.ok(Array.isArray(body))
  },
  { name: 'page-last', about: '`page=last`', bar: false, next: always('?page=last'), check: isPage },
  {
    name: 'page-jump',
    about: '`page=` a random page',
    bar: false,
    next: each(company => `${list}?page=${1 + Math.floor(company.random() * pagesOf(company))}`),
    check: isPage
  },
  ...['-id', 'folio', '-updated_at', '-monto', 'created_at', '-created_at', 'contraparte', 'estado', 'fecha_inicio'].map((order): Kind => ({
    name: `by-${order.replace(/^-(.*)/, '$1-down')}`,
    about: `\`ordering=${order}\``,
    bar: false,
    next: always(`?ordering=${order}`),
    check: isPage
  })),
  {
    name: 'next-by-monto',
    about: '`next` of `ordering=-monto`',
    bar: false,
    next: following(() => `${list}?ordering=-monto`),
    check: isPage
  },
  { name: 'mains', about: '`parent=null`, a tenth found', bar: false, next: always('?parent=null'), check: findsSome },
  { name: 'estado-all', about: '`estado=`, all found', bar: false, next: always('?estado=vigente'), check: isPage },
  {
    name: 'estado-all-bounded',
    about: '`estado=`, all found, `count_exact=false`',
    bar: false,
    next: always('?estado=vigente&count_exact=false'),
    check: isBounded
  },
  { name: 'estado-none', about: '`estado=`, none found', bar: false, next: always('?estado=cancelado'), check: findsNone },
  {
    name: 'updated-all',
    about: '`updated_since=`, all found',
    bar: false,
    next: always('?updated_since=2000-01-01T00:00:00Z'),
    check: isPage
  },
  {
    name: 'monto-range',
    about: '`monto_min=` and `monto_max=`, a thousandth found',
    bar: false,
    next: each(({ random }) => range(10_000 + Math.floor(random() * 4_900_000))),
    check: body => assert.equal(body.results.length, Math.min(pageSize, body.count))
  },
  {
    name: 'search-digits',
    about: '`search=` three digits, 4,000 found in 1,000,000',
    bar: false,
    next: each(({ random }) => `${list}?search=${pick(['314', '159', '265', '358', '979'], random)}`),
    check: body => assert.ok(body.count >= 1)
  },
  { name: 'search-common', about: '`search=`, all found', bar: false, next: always('?search=tramo'), check: isPage },
  {
    name: 'search-common-bounded',
    about: '`search=`, all found, `count_exact=false`',
    bar: false,
    next: always('?search=tramo&count_exact=false'),
    check: isBounded
  }
]
