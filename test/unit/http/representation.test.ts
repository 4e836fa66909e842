import fc from 'fast-check'
import t from 'tap'
import { decoded } from '../../support/decoded.ts'
import { compress, etag, isFresh, urlTag, versionPrecondition } from '../../../src/http/representation.ts'

const part = fc.record({ company: fc.nat(), revision: fc.nat(), url: fc.string(), version: fc.nat() })
const tagOf = ({ company, revision, url, version }: { company: number, revision: number, url: string, version: number }) => etag(company, revision, urlTag(url, 'answer'), version)

t.test('an ETag is one strong entity tag of RFC 9110', async () => {
  fc.assert(fc.property(part, parts => /^"[\x21\x23-\x7e]+"$/.test(tagOf(parts)) && !tagOf(parts).includes(',')))
})

t.test('If-None-Match is fresh only for the same company, revision and address', async () => {
  fc.assert(fc.property(part, part, (requested, given) => {
    const same = requested.company === given.company && requested.revision === given.revision && requested.url === given.url
    return (isFresh(tagOf(given), requested.company, requested.revision, urlTag(requested.url, 'answer')) !== undefined) === same
  }))
  fc.assert(fc.property(part, fc.array(part), (own, others) => {
    const list = [...others.map(tagOf), `W/${tagOf(own)}`, '"x"'].join(' , ')
    return isFresh(list, own.company, own.revision, urlTag(own.url, 'answer')) !== undefined
  }))
})

t.test('numbers with a common prefix differ', async (t) => {
  t.equal(isFresh(etag(1, 23, 'tag'), 1, 2, 'tag'), undefined)
  t.equal(isFresh(etag(11, 2, 'tag'), 1, 2, 'tag'), undefined)
  t.equal(isFresh('"1.2.tag.x"', 1, 2, 'tag'), undefined)
  t.equal(isFresh('"1.2.tag."', 1, 2, 'tag'), '"1.2.tag."')
})

t.test('If-Match compares only the version', async (t) => {
  fc.assert(fc.property(part, part, (requested, given) => versionPrecondition(tagOf(given))(requested.version) === (requested.version === given.version)))
  fc.assert(fc.property(fc.array(part, { minLength: 1 }), given => {
    const holds = versionPrecondition(given.map(tagOf).join(', '))
    return given.every(({ version }) => holds(version)) && !holds(-1)
  }))
  for (const passing of [undefined, '*', ' * ']) t.ok(versionPrecondition(passing)(7))
  for (const refusing of ['', '"7"', '7', '"*"', 'W/*', etag(1, 7, 'tag'), '"1.2.tag.7" x', '*, "a"']) t.notOk(versionPrecondition(refusing)(7), refusing)
})

t.test('one large body at a time is compressed, the others are sent as they are', async (t) => {
  const large = 'x'.repeat(100_000)
  const all = await Promise.all([compress(large, 'gzip'), compress(large, 'br'), compress('x'.repeat(2000), 'gzip')])
  t.same(all.map(bytes => bytes !== undefined), [true, false, true])
  t.equal(decoded('gzip', all[0] as Buffer), large)
  t.equal(decoded('br', await compress(large, 'br') as Buffer), large, 'the next one is compressed again')
})
