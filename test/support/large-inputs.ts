import { limits } from '../../src/config/limits.ts'

const KiB = 1024

/** Routes that take a body, each with its limit in bytes and some of its fields. */
export const routes: Array<[method: 'POST' | 'PATCH' | 'PUT', url: string, limit: number, field: string, ...others: string[]]> = [
  ['POST', 'api-token-auth/', limits.bodies.token, 'email'],
  ['POST', 'api-token-verify/', limits.bodies.token, 'token'],
  ['POST', 'me/password/', limits.bodies.password, 'new'],
  ['PATCH', 'me/', limits.bodies.record, 'company'],
  ['POST', 'contracts/', limits.bodies.record, 'folio', 'monto'],
  ['PUT', 'contracts/1/', limits.bodies.nested, 'descripcion'],
  ['POST', 'contrapartes/', limits.bodies.record, 'rfc']
]

/** Repeats `unit` between `open` and `close`, up to `limit` bytes. */
function filled (limit: number, unit: string, open = '', close = ''): string {
  return open + unit.repeat(Math.max(0, Math.floor((limit - Buffer.byteLength(open) - Buffer.byteLength(close)) / Buffer.byteLength(unit)))) + close
}

function keyed (limit: number, member: (index: number) => string): string {
  const members: string[] = []
  for (let [index, length] = [0, 2]; ; index++) {
    const next = member(index)
    length += next.length + 1
    if (length > limit) return `{${members.join(',')}}`
    members.push(next)
  }
}

const marks = '\u0301\u0323'

/**
 * Invalid bodies that are expensive to check, by description.
 * @param limit bytes of each
 * @param field a text field of the route
 */
export function largeBodies (limit: number, field: string): Record<string, string> {
  const inField = (unit: string) => filled(limit, unit, `{"${field}":"`, '"}')
  return {
    'unknown fields': keyed(limit, index => `"f${index}":1`),
    'fields named by numbers': keyed(limit, index => `"${index * 7919}":1`),
    '64 unknown fields of long names': `{${Array.from({ length: 64 }, (_, index) => `"${String(index).padEnd(Math.floor(limit / 64) - 10, 'f')}":1`).join(',')}}`,
    'one field repeated': filled(limit, `"${field}":1.5,`, '{', `"${field}":1}`),
    'numbers that need their exact digits': filled(limit, '1.0,', '[', '1]'),
    'numbers in a field': filled(limit, '1.5,', `{"${field}":[`, '1]}'),
    'a number of many digits': filled(limit, '9', `{"${field}":`, '}'),
    'a fraction of many digits': filled(limit, '9', `{"${field}":0.`, '}'),
    'empty lists': filled(limit, '[],', '[', '1]'),
    'empty objects': filled(limit, '{},', '[', '1]'),
    'nested lists': '['.repeat(limit / 2) + ']'.repeat(limit / 2),
    'nested objects': filled(limit / 2, '{"a":', '', '1') + '}'.repeat(limit / 12),
    'nested lists in a field': `{"${field}":${'['.repeat(30_000)}${']'.repeat(30_000)}}`.slice(0, limit),
    'a long text': inField('a'),
    'a long text of escapes': inField('\\u0041'),
    'a long text of characters that are escaped in answers': inField('\\u0001'),
    'a long text of combining marks': inField(marks),
    'a long text of short runs of combining marks': inField(`a${marks.repeat(15)}`),
    'a long text of combining marks that grow in NFC': inField('\u0344\u0323'),
    'a long text of spaces': filled(limit, ' ', `{"${field}":"a`, 'b"}'),
    'a long text of lone surrogates': inField('\\ud800'),
    'a missing end': filled(limit, '1.5,', `{"${field}":[`),
    'line feeds without JSON': filled(limit, '\n', '', 'x'),
    'an unterminated text': filled(limit, 'a', '"'),
    'forbidden keys as values': filled(limit, '"__proto__",', `{"${field}":["constructor",`, '1]}')
  }
}

/**
 * Bulk bodies that are expensive to check, by description.
 * @param share fraction of the limits
 */
export function largeBulks (item: Record<string, unknown>, field: string, share = 1): Record<string, string> {
  const items = (make: (index: number) => object, count = 1000 * share) => JSON.stringify({ items: Array.from({ length: count }, (_, index) => make(index)) })
  const unknown = (index: number) => Object.fromEntries(Array.from({ length: 60 }, (_, number) => [`f${index}-${number}`, 1]))
  return {
    '60 unknown fields of each item': items(unknown),
    '60 unknown fields of long names': items(index => Object.fromEntries(Object.keys(unknown(index)).map(name => [name.padEnd(250, 'x'), 1]))),
    'every field wrong': items(() => Object.fromEntries(Object.keys(item).map(name => [name, [{}]]))),
    'long texts': items(() => ({ ...item, [field]: 'x'.repeat(15_000) })),
    'long texts of combining marks': items(() => ({ ...item, [field]: marks.repeat(3700) })),
    'long texts of short runs of combining marks': items(() => ({ ...item, [field]: `a${marks.repeat(15)}`.repeat(120) })),
    'numbers that need their exact digits': `{"items":[${Array(1000 * share).fill(`{"${field}":[${'1.5,'.repeat(60)}1]}`).join(',')}]}`,
    'numbers as items': `{"items":[${'1.5,'.repeat(60_000 * share)}1]}`,
    '16 MiB of spaces': items(() => item, 1).padEnd(limits.bodies.bulk * share)
  }
}

/** Queries that are expensive to check, by description. Node accepts 16 KiB of URL and headers. @param length bytes of each */
export function largeQueries (length = 15 * KiB): Record<string, string> {
  return {
    'one parameter repeated': filled(length, 'a=1&'),
    'unknown parameters': keyed(length, index => `p${index}=1`).slice(1, -1).replaceAll(',', '&'),
    'parameters named by numbers': keyed(length, index => `${index}=1`).slice(1, -1).replaceAll(',', '&'),
    'ordering repeated': filled(length, 'ordering=id&'),
    'ordering by unknown fields': `ordering=${keyed(length, index => `x${index}`).slice(1, -1)}`,
    'ordering by one field': `ordering=${filled(length, 'id,')}id`,
    'one field selected repeatedly': `fields=${filled(length, 'id,')}id`,
    'unknown fields': `fields=${keyed(length, index => `x${index}`).slice(1, -1)}`,
    commas: `fields=${','.repeat(length)}`,
    'a long search': `search=${filled(length, 'a+')}`,
    'a search of combining marks': `search=${filled(length, '%CC%81%CC%A3')}`,
    'a text of combining marks': `folio=${filled(length, '%CC%81%CC%A3')}`,
    'a long cursor': `cursor=${Buffer.from(filled(length / 2, '[', '', '')).toString('base64url')}`,
    'a page of many digits': `page=${'9'.repeat(length)}`,
    'an id of many digits': `parent=${'9'.repeat(length)}`,
    'an amount of many digits': `monto_min=${'0'.repeat(length)}x`,
    'invalid escapes': filled(length, '%zz='),
    spaces: `folio=${filled(length, '+')}`
  }
}
