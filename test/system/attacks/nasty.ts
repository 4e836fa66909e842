import fc from 'fast-check'
import { character } from '../../support/character.ts'

/** Texts with a special meaning in some layer: SQL, HTML, paths, URLs, Unicode. */
export const texts = fc.oneof(
  fc.constantFrom('', ' ', '\0', 'a\0b', '\ud800', 'a\udc00b', '\u202egnp.exe', '\u200b', '\ufeff', '\u2028', 'e\u0301'.repeat(50), '👷‍♀️', 'İ', 'ß', '__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', '-0', '1e400',
    "' or '1'='1", "'; drop table contracts; --", '") or 1=1 --', '%', '_', '\\', '$1', '{}', '[]', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '{{7*7}}', '${7*7}', '../../etc/passwd', '%00', '%c0%ae', 'http://127.0.0.1:1/', // eslint-disable-line no-template-curly-in-string
    '\r\nSet-Cookie: a=b', '9999-12-31', '0000-00-00', '2026-02-30', 'infinity', '2026-01-01T00:00:00Z', '9'.repeat(400), `${'0'.repeat(5000)}x`, 'x'.repeat(9000), '{1,2}', '(', 'a&b|!c', "a:*'"),
  fc.string({ unit: character, maxLength: 30 }),
  fc.string({ maxLength: 30 })
)

const numbers = fc.constantFrom('0', '-0', '-1', '1', '7', '1.5', '0.1', '1e2', '1e400', '-1e400', '1e-400', '2147483647', '2147483648', '9007199254740993', '9'.repeat(400), `0.${'3'.repeat(400)}`)
const deep = (open: string, inside: string, close: string, levels: number) => open.repeat(levels) + inside + close.repeat(levels)

/** JSON texts of every kind, also with values that JavaScript cannot represent. */
export const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: texts.map(text => JSON.stringify(text)) },
  { weight: 3, arbitrary: numbers },
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '{"id":1}', '{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}', '{"a":1,"a":2}', '{"length":1e9}', '{"toJSON":1}', '{"then":1}'),
  fc.constantFrom(deep('[', '', ']', 3000), deep('{"a":', '1', '}', 3000), `[${'0,'.repeat(5000)}0]`, deep('[', '', ']', 90_000)),
  fc.json({ maxDepth: 3 })
)

/** Request bodies, most of them not a JSON object. */
export const bodies: fc.Arbitrary<string | Buffer> = fc.oneof(
  json,
  fc.constantFrom('{', '{"folio":', '{"folio":"x"', '{"folio":"x",}', "{'folio':1}", '\ufeff{}', '{}{}', '{"a":01}', '{"a":+1}', '{"a":.5}', '{"a":NaN}', '{"a":"\t"}', '{"a":"\\x"}', '{"a":"\\u12"}', '', ' ', 'null\0', '{"a":1}//', `{"a":"${'x'.repeat(1_100_000)}"}`,
    `{${Array.from({ length: 2000 }, (_, index) => `"f${index}":1`).join()}}`),
  fc.constantFrom(Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from('{"folio":"\xc3\x28"}', 'latin1'), Buffer.from('{"folio":"\xed\xa0\x80"}', 'latin1'), Buffer.from('{"folio":"\xc0\xae"}', 'latin1'), Buffer.from('{"folio":"\xf5\x80\x80\x80"}', 'latin1'), Buffer.from('{}', 'utf16le')),
  fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes))
)
