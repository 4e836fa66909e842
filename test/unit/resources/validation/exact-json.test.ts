import fc from 'fast-check'
import t from 'tap'
import type { Problem, ValidationError } from '../../../../src/http/errors.ts'
import { ExactNumber, parseExactJson } from '../../../../src/resources/validation/exact-json.ts'
import { character } from '../../../support/character.ts'

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const whole = fc.oneof(fc.constant('0'), fc.tuple(fc.constantFrom(...'123456789'), digits(0, 24)).map(parts => parts.join('')))

/** Numbers of the JSON grammar. */
const number = fc.tuple(
  fc.constantFrom('', '-'),
  whole,
  fc.oneof(fc.constant(''), digits(1, 6).map(places => `.${places}`)),
  fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 2)).map(parts => parts.join('')))
).map(parts => parts.join(''))

const string = fc.string({ unit: character }).map(text => JSON.stringify(text))
const key = fc.string({ maxLength: 5 }).filter(key => key !== '__proto__' && key !== 'constructor').map(key => JSON.stringify(key))

// JavaScript moves keys that look like indexes to the front, so members are sorted before they are compared.
const byKey = ([a]: [string, unknown], [b]: [string, unknown]) => a < b ? -1 : 1

/** Any JSON, as text without whitespace. */
const { json } = fc.letrec<{ json: string }>(tie => ({
  json: fc.oneof({ depthSize: 'small' },
    fc.constantFrom('null', 'true', 'false'), number, string,
    fc.array(tie('json'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    fc.uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([key]) => JSON.parse(key) })
      .map(members => `{${members.sort(byKey).map(([key, value]) => `${key}:${value}`).join(',')}}`))
}))

/** Prints a parsed value as JSON. Numbers that JavaScript would print differently are printed as their source. */
function print (value: unknown): string {
  if (value instanceof ExactNumber) return value.source
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, value]): [string, unknown] => [JSON.stringify(key), value])
  return `{${members.sort(byKey).map(([key, value]) => `${key}:${print(value)}`).join(',')}}`
}

t.test('any JSON is printed back unchanged, with the digits of every number', async (t) => {
  fc.assert(fc.property(json, text => print(parseExactJson(`[${text}]`)) === `[${text}]`), { numRuns: 500 })
  t.pass('500 documents')
})

t.test('a number keeps its source, and is a JavaScript number only if JavaScript prints that source', async (t) => {
  let exact = 0
  fc.assert(fc.property(number, (source) => {
    const [value] = parseExactJson(`[${source}]`) as [unknown]
    if (value instanceof ExactNumber) exact++
    return value instanceof ExactNumber ? value.source === source && String(Number(source)) !== source : typeof value === 'number' && String(value) === source
  }), { numRuns: 2000 })
  t.ok(exact > 100)
})

/** The problem of a text; undefined if it is valid. */
function refusal (text: string): Problem | undefined {
  try {
    parseExactJson(text)
  } catch (error) {
    return (error as ValidationError).problems[0]
  }
  return undefined
}

t.test('invalid JSON is refused with the position and the unexpected character', async (t) => {
  const faults: Array<[text: string, found: string, line: number, column: number]> = [
    ["{'a':1}", "'", 1, 2], ['[1,]', ']', 1, 4], ['NaN', 'N', 1, 1], ['[Infinity]', 'I', 1, 2], ['{"a":01}', '1', 1, 7], ['{"a":.5}', '.', 1, 6], ['{"a":5.}', '.', 1, 7],
    ['{"a":+1}', '+', 1, 6], ['{"a":1} x', 'x', 1, 9], ['{"a":1,\n "b":}', '}', 2, 6], ['{"a" 1}', '1', 1, 6], ['{"a":1,}', '}', 1, 8], ['[1}', '}', 1, 3], ['{"a":[1]]', ']', 1, 9],
    ['["a\nb"]', 'U+000A', 1, 4], ['["\\x"]', 'x', 1, 4], ['["\\u12g4"]', 'u', 1, 4], ['\ufeff{}', 'U+FEFF', 1, 1], ['\u00a0{}', 'U+00A0', 1, 1], ['[\ud83d\ude00]', '\ud83d\ude00', 1, 2], ['[\ud83d]', 'U+D83D', 1, 2]
  ]
  for (const [text, found, line, column] of faults) {
    t.strictSame(refusal(text), { field: 'non_field_errors', key: 'jsonUnexpected', values: { found, line, column } }, text)
  }
  for (const text of ['', ' ', '{', '{"a', '{"a"', '{"a":', '{"a":1', '[1', '["\\', '{"a":1,']) {
    t.match(refusal(text), { key: 'jsonEnd', values: { line: 1, column: text.length + 1 } }, text)
  }
})

t.test('a key that changes a prototype is refused at every depth', async (t) => {
  for (const text of ['{"__proto__":{"a":1.5}}', '[{"a":{"\\u005f_proto__":1}}]', '{"constructor":{"prototype":{"a":1}}}', '{"a":[{"constructor":{"b":1,"prototype":1}}]}']) {
    t.match(refusal(text), { key: 'jsonPrototype' }, text)
  }
  for (const text of ['["__proto__"]', '{"constructor":{}}', '{"constructor":["prototype"]}', '{"prototype":{}}', '{"constructor":{"a":{"prototype":1}}}']) {
    t.equal(JSON.stringify(parseExactJson(text)), text)
  }
})

t.test('a text is valid JSON exactly if JSON.parse accepts it', async (t) => {
  const piece = fc.constantFrom(...'{}[]:,"\\ \n\t-+.eE0123459', 'true', 'false', 'null', '"a"', '"b":', '\\u00', '\u0000', '\u2028', 'é')
  const text = fc.oneof(fc.array(piece, { maxLength: 12 }).map(parts => parts.join('')), fc.tuple(json, fc.nat(), piece).map(([text, at, part]) => text.slice(0, at % (text.length + 1)) + part + text.slice(at % (text.length + 1))))
  let taken = 0
  fc.assert(fc.property(text, (text) => {
    let expected: unknown
    try {
      expected = JSON.parse(text)
    } catch {
      return refusal(text) !== undefined
    }
    taken++
    return print(plain(parseExactJson(text))) === print(expected)
  }), { numRuns: 5000 })
  t.ok(taken > 100)
})

/** The value as JSON.parse returns it, without exact numbers. */
function plain (value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.source)
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([key, value]) => [key, plain(value)])) : value
}

t.test('an object of more than 64 fields is an error under its path, a body of more than 66,000 values is 413', async (t) => {
  const fields = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1])))
  t.equal(Object.keys(parseExactJson(fields(64)) as object).length, 64)
  const tooMany = (field: string) => ({ field, key: 'maxItems', values: { max_length: 64 } })
  t.strictSame(refusal(fields(65)), tooMany('non_field_errors'))
  t.strictSame(refusal(`{"items":[{},${fields(65)}]}`), tooMany('items.1'))
  t.strictSame(refusal(`{${'"a":1,'.repeat(64)}"a":1}`), tooMany('non_field_errors'), 'a repeated field counts')

  t.equal((parseExactJson(`[${'1,'.repeat(65_998)}1]`) as unknown[]).length, 65_999)
  for (const text of [`[${'1,'.repeat(65_999)}1]`, `${'['.repeat(66_001)}`, `[${'{"a":1.5},'.repeat(40_000)}1]`]) t.throws(() => parseExactJson(text), { name: 'PayloadTooLargeError', statusCode: 413 })
  const deep = '['.repeat(60_000)
  t.equal(refusal(deep)?.key, 'jsonEnd', 'nesting does not overflow the stack')
})

t.test('a text that no field accepts is refused at its field, before its end is read', async (t) => {
  const limits = { maxLength: 10 }
  const problems = (text: string) => {
    try {
      parseExactJson(text, limits)
      return []
    } catch (error) {
      return (error as { problems: object[] }).problems
    }
  }
  const tooLong = (field: string) => [{ field, key: 'maxLength', values: { max_length: 10 } }]
  const long = 'x'.repeat(41)
  t.strictSame(problems(JSON.stringify({ items: [{ folio: 'a' }, { folio: long }] })), tooLong('items.1.folio'))
  t.strictSame(problems(JSON.stringify({ folio: long })), tooLong('folio'))
  t.strictSame(problems(JSON.stringify({ list: ['a', long] })), tooLong('list.1'))
  t.strictSame(problems(JSON.stringify({ a: { [long]: 1 } })), tooLong('a'))
  t.strictSame(problems(JSON.stringify(long)), tooLong('non_field_errors'))
  t.strictSame(problems(`{"folio":"${long} never ends`), tooLong('folio'), 'the rest is not read')
  t.strictSame(problems(JSON.stringify({ folio: 'e\u0301\u0323\u0300'.repeat(10) })), [], 'any form of ten characters')
  t.strictSame(problems(`{"folio":"${'\\u00e9'.repeat(40)}"}`), [], 'an escape counts as what it stands for')
  t.strictSame(problems(`{"folio":"${'\\u00e9'.repeat(41)}"}`), tooLong('folio'))
})
