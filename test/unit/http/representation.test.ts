import fc from 'fast-check'
import t from 'tap'
import { decoded } from '../../support/decoded.ts'
import { compress, Compressed, encodings, etag, isFresh, type Revision, type Versioned, urlTag, versionPrecondition } from '../../../src/http/representation.ts'

const instant = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }).map(date => date.toISOString().replace('Z', '000Z'))
const record = fc.record({ version: fc.nat(), updated_at: instant })
const part = fc.record({ company: fc.nat(), revision: fc.nat(), stamp: fc.maxSafeNat(), url: fc.string(), record })
type Part = { company: number, url: string, record: Versioned } & Revision
const tagOf = ({ company, url, record, ...revision }: Part) => etag(company, revision, urlTag(url, 'answer'), record)
const now = { revision: 2, stamp: 35 }

t.test('a body that never changes is compressed once in each coding, also by requests at the same moment', async (t) => {
  const body = Buffer.from('{"a":1}'.repeat(10_000))
  const compressed = new Compressed(body)
  for (const encoding of encodings) {
    const [first, second] = await Promise.all([compressed.in(encoding), compressed.in(encoding)])
    t.equal(first, second)
    t.equal(await compressed.in(encoding), first)
    t.equal(decoded(encoding, first), body.toString())
  }
})

t.test('an ETag is one strong entity tag of RFC 9110', async () => {
  fc.assert(fc.property(part, parts => /^"[\x21\x23-\x7e]+"$/.test(tagOf(parts)) && !tagOf(parts).includes(',')))
})

t.test('If-None-Match is fresh only for the same company, revision with its stamp, and address', async () => {
  fc.assert(fc.property(part, part, (requested, given) => {
    const same = requested.company === given.company && requested.revision === given.revision && requested.stamp === given.stamp && requested.url === given.url
    return (isFresh(tagOf(given), requested.company, requested, urlTag(requested.url, 'answer')) !== undefined) === same
  }))
  fc.assert(fc.property(part, fc.array(part), (own, others) => {
    const list = [...others.map(tagOf), `W/${tagOf(own)}`, '"x"'].join(' , ')
    return isFresh(list, own.company, own, urlTag(own.url, 'answer')) !== undefined
  }))
})

t.test('numbers with a common prefix differ', async (t) => {
  t.equal(isFresh(etag(1, { revision: 23, stamp: 35 }, 'tag'), 1, now, 'tag'), undefined)
  t.equal(isFresh(etag(1, { revision: 2, stamp: 1295 }, 'tag'), 1, now, 'tag'), undefined)
  t.equal(isFresh(etag(11, now, 'tag'), 1, now, 'tag'), undefined)
  t.equal(isFresh('"1.2.z.tag.x"', 1, now, 'tag'), undefined)
  t.equal(isFresh('"1.2.z.tag."', 1, now, 'tag'), '"1.2.z.tag."')
})

t.test('If-Match compares the version and the time of the last change', async (t) => {
  fc.assert(fc.property(part, part, (requested, given) => {
    const isSame = requested.record.version === given.record.version && requested.record.updated_at === given.record.updated_at
    return versionPrecondition(tagOf(given))(requested.record) === isSame && versionPrecondition(tagOf(given))(given.record)
  }))
  const record = { version: 7, updated_at: '2026-03-01T15:04:05.123456Z' }
  const holds = versionPrecondition(`"x", ${etag(1, now, 'tag', { ...record, version: 8 })}, W/${etag(1, now, 'tag', record)}`)
  t.same([record, { ...record, version: 8 }, { ...record, version: 9 }, { ...record, updated_at: '2026-03-01T15:04:05.123457Z' }].map(holds), [true, true, false, false])
  for (const passing of [undefined, '*', ' * ']) t.ok(versionPrecondition(passing)(record))
  const tag = etag(1, now, 'tag', record)
  for (const refusing of ['', '"7"', '7', '"*"', 'W/*', etag(1, now, 'tag'), '"1.2.tag.7"', `${tag} x`, '*, "a"']) t.notOk(versionPrecondition(refusing)(record), refusing)
})

t.test('one large body at a time is compressed, the others are sent as they are', async (t) => {
  const large = 'x'.repeat(100_000)
  const all = await Promise.all([compress(large, 'gzip'), compress(large, 'br'), compress('x'.repeat(2000), 'gzip')])
  t.same(all.map(bytes => bytes !== undefined), [true, false, true])
  t.equal(decoded('gzip', all[0] as Buffer), large)
  t.equal(decoded('br', await compress(large, 'br') as Buffer), large, 'the next one is compressed again')
})
