import fc from 'fast-check'
import t from 'tap'
import { ExactNumber, parseExactJson } from '../../../src/validation/exact-json.ts'

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const whole = fc.oneof(fc.constant('0'), fc.tuple(fc.constantFrom(...'123456789'), digits(0, 24)).map(parts => parts.join('')))

/** Numbers as JSON's grammar has them. */
const number = fc.tuple(
  fc.constantFrom('', '-'),
  whole,
  fc.oneof(fc.constant(''), digits(1, 6).map(places => `.${places}`)),
  fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 2)).map(parts => parts.join('')))
).map(parts => parts.join(''))

const string = fc.string({ unit: 'binary' }).filter(text => text.isWellFormed()).map(text => JSON.stringify(text))
const key = fc.string({ maxLength: 5 }).filter(key => key !== '__proto__' && key !== 'constructor').map(key => JSON.stringify(key))

// JavaScript puts keys that look like indexes first: members are compared in one order.
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => a < b ? -1 : 1

/** Any JSON, as text without blanks. */
const { json } = fc.letrec<{ json: string }>(tie => ({
  json: fc.oneof({ depthSize: 'small' },
    fc.constantFrom('null', 'true', 'false'), number, string,
    fc.array(tie('json'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    fc.uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([key]) => JSON.parse(key) })
      .map(members => `{${members.sort(byKey).map(([key, value]) => `${key}:${value}`).join(',')}}`))
}))

/** What was parsed, printed back: numbers that JavaScript would print otherwise by their source. */
function print (value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, value]): [string, unknown] => [JSON.stringify(key), value])
  return `{${members.sort(byKey).map(([key, value]) => `${key}:${print(value)}`).join(',')}}`
}

t.test('any JSON comes back as it was written, every number with its own digits', async (t) => {
  fc.assert(fc.property(json, text => print(parseExactJson(`[${text}]`)) === `[${text}]`), { numRuns: 500 })
  t.pass('500 documents')
})

t.test('a number keeps its source, and is a plain one only where JavaScript prints that source', async (t) => {
  let exact = 0
  fc.assert(fc.property(number, (source) => {
    const [value] = parseExactJson(`[${source}]`) as [unknown]
    if (value instanceof ExactNumber) exact++
    return value instanceof ExactNumber ? value.source === source && String(Number(source)) !== source : typeof value === 'number' && String(value) === source
  }), { numRuns: 2000 })
  t.ok(exact > 100)
})

t.test('numbers that a double cannot hold, or would print otherwise, are not rounded', async (t) => {
  for (const source of ['1500.50', '1500.0', '0.1', '-0', '1e2', '1E2', '9007199254740993', '12345678901234567890', '0.10', '1e400']) {
    const [value] = parseExactJson(`[${source}]`) as [unknown]
    t.equal(value instanceof ExactNumber ? value.source : String(value), source)
  }
  t.strictSame(parseExactJson('{"a": 15, "b": [-3, 0.5]}'), { a: 15, b: [-3, 0.5] })
})

t.test('text that looks like a number stays text', async (t) => {
  t.strictSame(parseExactJson('{"folio":"1500.50","b":"-0","1.5":"1e2","c":1}'), { folio: '1500.50', b: '-0', 1.5: '1e2', c: 1 })
})

t.test('what is no JSON is refused, and so is a key that would change a prototype', async (t) => {
  for (const text of ['', '{', '{"a":01}', "{'a':1}", '[1,]', 'NaN', '[NaN]', '[Infinity]', '{"a":.5}', '{"a":5.}', '{"a":+1}', '{"a":1} x', '{"__proto__":{"a":1.5}}', '{"constructor":{"prototype":{"a":1}}}']) {
    t.throws(() => parseExactJson(text), SyntaxError, text)
  }
})
