import type { TSchema } from '@sinclair/typebox'
import type { MessageKey, MessageValues } from '../../../../src/http/messages.ts'

/** An invalid parameter value, decoded, and its expected message. */
export type QueryRefusal = readonly [value: string, key: MessageKey, values?: MessageValues]

/** Values that a parameter must refuse, and values that it must accept. */
export interface QueryExpectations {
  refused: QueryRefusal[]
  taken: string[]
}

type Schema = TSchema & Record<string, any>

const each = (values: string[], key: MessageKey, of?: (value: string) => MessageValues): QueryRefusal[] => values.map(value => [value, key, of?.(value)] as const)
const input = (value: string) => ({ input: value })
const inputOf = (words: string[]) => (value: string) => ({ input: value, choices: words.filter(word => !word.startsWith('-')) })
const nul = 'a\0b'

const choice = ({ enum: words }: Schema): QueryExpectations => ({
  refused: each(['', 'nada', `${words[0]} `, `${words.join()},`, nul, 'toString'], 'invalidChoiceOf', inputOf(words)),
  taken: words
})

/** Names of other media types are accepted too, in any case. A message has the type in lower case. */
const mediaType = ({ enum: words, mediaType: others }: Schema): QueryExpectations => ({
  refused: each(['', 'nada', 'image/tiff', `${words.join()},`, nul, 'toString'], 'invalidChoiceOf', value => ({ input: value.toLowerCase(), choices: words })),
  taken: [...words, ...[...words, ...Object.keys(others)].map(word => ` ${word.toUpperCase()} ; q=1`)]
})

const money = (): QueryExpectations => ({
  refused: [
    ...each(['', 'x', 'NaN', '1e2', '1,000', nul], 'notNumber'), ['1.005', 'maxDecimalPlaces', { max_decimal_places: 2 }],
    ['12345678901234567', 'maxWholeDigits', { max_whole_digits: 16 }], ['-0.01', 'minValue', { min_value: 0 }]
  ],
  taken: ['0', ' 1.5 ', '9999999999999999.99']
})

const list = ({ items, minItems }: Schema): QueryExpectations => ({
  refused: [
    ...each(['nada', 'toString', '-', '--id', 'Id', 'id desc', 't.id', '__proto__', nul], 'invalidChoiceOf', inputOf(items.enum)), [`${items.enum[0]},nada`, 'invalidChoiceOf', inputOf(items.enum)('nada')],
    ...minItems === undefined ? [] : each(['', ' , '], 'minItems', () => ({ min_length: 1 }))
  ],
  taken: [items.enum[0], ` ${items.enum[0]} ,`, items.enum.filter((word: string) => !word.startsWith('-')).join()]
})

const levels = /\[(\d+)\]/
const isLevel = ({ pattern }: Schema) => levels.test(pattern ?? '')

const kinds: Array<[is: (schema: Schema) => boolean, expect: (schema: Schema) => QueryExpectations]> = [
  [schema => schema['enum'] !== undefined && schema['mediaType'] === undefined, choice],
  [schema => schema['mediaType'] !== undefined, mediaType],
  [schema => schema['money'] === true, money],
  [schema => schema['list'] === true, list],
  [schema => schema['type'] === 'integer', () => ({
    refused: [...each(['', 'x', '1.5', '1.0', '1e2', '0x1', '1 1', nul], 'notInteger'), ['0', 'minValue', { min_value: 1 }], ['-1', 'minValue', { min_value: 1 }], ...each(['201', '9'.repeat(400)], 'maxValue', () => ({ max_value: 200 }))],
    taken: ['1', '200', ' 1 ', '+1', '007']
  })],
  [schema => schema['isInstant'] === true, () => ({
    refused: each(['', 'ayer', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:00+99:00', '2026-01-01T00:00:00 06:00', '2026-01-01T', '2026-01-01T00', nul], 'notInstant'),
    taken: ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '2026-01-01T00:00', '2026-01-01T00:00:00-06:00', '2026-01-01 00:00:00Z', '2026-1-1T1:2', '2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00,5+0600', '2026-01-01T00:00:00-06']
  })],
  [schema => schema['isDate'] === true, () => ({ refused: each(['', 'hoy', '2026-02-29', '20260101', '2026-01-01T00:00:00Z', nul], 'notDate'), taken: ['0001-01-01', ' 9999-12-31 ', '2026-1-1'] })],
  [schema => schema['isUuid'] === true, () => ({
    refused: each(['', 'x', '1', '6128396f-c09b-4ec6-8699-43c5f7e3b23', '6128396f-c09b-4ec6-8699-43c5f7e3b2300', '{6128396f-c09b-4ec6-8699-43c5f7e3b230', 'g128396f-c09b-4ec6-8699-43c5f7e3b230', nul], 'notUuid'),
    taken: ['6128396f-c09b-4ec6-8699-43c5f7e3b230', ' 6128396F-C09B-4EC6-8699-43C5F7E3B230 ', '6128396fc09b4ec6869943c5f7e3b230', '{6128396f-c09b-4ec6-8699-43c5f7e3b230}', 'urn:uuid:6128396f-c09b-4ec6-8699-43c5f7e3b230']
  })],
  [schema => schema['rfc'] === true, () => ({ refused: each(['', 'XAXX', nul], 'notRfc'), taken: ['xaxx010101000', 'GODE-561231-GR8'] })],
  [schema => schema['type'] === 'boolean', () => ({ refused: each(['', 'x', 'sí', '2', ' true', 'null', nul], 'notBoolean'), taken: ['true', 'false', 'True', 'False', 'TRUE', '1', '0', 't', 'f', 'yes', 'no', 'on', 'off'] })],
  [schema => schema['accountEmail'] === true, ({ maxLength }) => ({
    refused: [...each(['x', 'a@b', nul], 'notEmail'), ...each(['', ' '], 'blank'), [`${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(maxLength - 247)}`, 'maxLength', { max_length: maxLength }]],
    taken: [' Director@Demo.Example ']
  })],
  [schema => isLevel(schema), ({ pattern }) => ({
    refused: each(['', 'abc', '0', '7', '-4', '4.0', '4.5', '45', '4e0', 'NULL', nul], 'invalidChoice', input),
    taken: [...[...levels.exec(pattern)?.[1] as string].flatMap(level => [level, ` ${level} `, `+${level}`, `0${level}`]), ...pattern.includes('null') ? ['null'] : []]
  })],
  [schema => schema['pattern'] !== undefined && !isLevel(schema), () => ({
    refused: each(['', 'abc', '-1', '1.5', '1.0', '1,2', 'NULL', '0x1', '1 1', nul], 'invalidChoice', input),
    taken: ['0', '1', ' 1 ', '+1', '007', '2147483648', '9007199254740991', '9007199254740993', '9'.repeat(100)]
  })],
  [schema => schema['text'] === true, ({ minLength, maxLength }) => ({
    refused: [
      [nul, 'nullCharacter'], ...minLength === undefined ? [] : each(['', ' '], 'blank'),
      ...maxLength === undefined ? [] : each(['x'.repeat(maxLength + 1)], 'maxLength', () => ({ max_length: maxLength }))
    ],
    taken: ['x', '%', "';--", '👷', 'x'.repeat(maxLength ?? 500), ...minLength === undefined ? [''] : []]
  })]
]

// An invalid page is 404 and has its own test. No schema describes the content of a cursor.
const named: Record<string, QueryExpectations> = {
  page: { refused: [], taken: ['1', 'last'] },
  cursor: { refused: [...each(['', 'x', 'bnVsbA', 'WyJpZCJd', 'WyJpZCIsMF0', nul, '{}'], 'invalidCursor'), ['x'.repeat(8001), 'maxLength', { max_length: 8000 }]], taken: ['WyJpZCIsMV0'] }
}

/** The expectations for a list parameter. @throws {Error} for a kind of parameter that has no row in `kinds` */
export function queryExpectationsOf (name: string, schema: Schema): QueryExpectations {
  const own = named[name]
  if (own !== undefined) return own
  const [kind, ...more] = kinds.filter(([is]) => is(schema))
  if (kind === undefined || more.length > 0) throw new Error(`${name}: no expectations, or several, for ${JSON.stringify(schema)}`)
  return kind[1](schema)
}
