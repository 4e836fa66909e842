import type { TSchema } from '@sinclair/typebox'
import type { MessageValues } from '../../src/errors.ts'
import type { MessageKey } from '../../src/language/messages.ts'

/** A value as JSON text, and what must be said of it. */
export type Refusal = readonly [json: string, key: MessageKey, values?: MessageValues]

/** A value as JSON text, and as what it is kept. */
export type Taken = readonly [json: string, kept: unknown]

/** What every field of a kind must refuse, and take at its limits. */
export interface Expectations {
  refused: Refusal[]
  taken: Taken[]
}

type Schema = TSchema & Record<string, any>

const quoted = (text: string) => JSON.stringify(text)
const lone = '"\\ud800"'
const nul = '"a\\u0000b"'

const text = ({ minLength, maxLength }: Schema): Expectations => ({
  refused: [
    ['1', 'notString'], ['1.5', 'notString'], ['true', 'notString'], ['[]', 'notString'], ['{"a":1}', 'notString'], ['1e400', 'notString'],
    [nul, 'nullCharacter'], [lone, 'notString'], ['"a\\udc00"', 'notString'],
    [quoted('x'.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }], [quoted('👷'.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }],
    ...minLength === undefined ? [] : [['""', 'blank'], ['" \\n\\t "', 'blank']] as const
  ],
  taken: [
    [quoted('x'.repeat(maxLength)), 'x'.repeat(maxLength)], [quoted('👷'.repeat(maxLength)), '👷'.repeat(maxLength)],
    [quoted(` ${'e\u0301'.repeat(maxLength)} `), 'é'.repeat(maxLength)], [quoted('x'), 'x'], ['"\'; --\\"<b>%_\\\\"', '\'; --"<b>%_\\'],
    ...minLength === undefined ? [['" "', '']] as const : []
  ]
})

const decimals: Refusal[] = [
  ['"1.005"', 'maxDecimalPlaces', { max_decimal_places: 2 }], ['0.001', 'maxDecimalPlaces', { max_decimal_places: 2 }],
  ['12345678901234567', 'maxWholeDigits', { max_whole_digits: 16 }], ['"12345678901234567.00"', 'maxWholeDigits', { max_whole_digits: 16 }],
  ['-0.01', 'minValue', { min_value: 0 }], ['"-1"', 'minValue', { min_value: 0 }],
  ['1e2', 'notNumber'], ['"1e2"', 'notNumber'], ['"NaN"', 'notNumber'], ['"1,5"', 'notNumber'], ['""', 'notNumber'], ['true', 'notNumber'], ['[]', 'notNumber'], ['{}', 'notNumber'],
  [lone, 'notNumber'], [nul, 'notNumber']
]

const money = (): Expectations => ({
  refused: decimals,
  taken: [['0', '0.00'], ['"9999999999999999.99"', '9999999999999999.99'], ['9999999999999999.99', '9999999999999999.99'], ['" 7.5 "', '7.50'], ['-0', '0.00']]
})

const percentage = (): Expectations => ({
  refused: [...decimals, ['100.01', 'maxValue', { max_value: 100 }], ['"101"', 'maxValue', { max_value: 100 }]],
  taken: [['0', '0.00'], ['100', '100.00'], ['"99.99"', '99.99'], ['0.07', '0.07']]
})

const day = (): Expectations => ({
  refused: [['20260101', 'notString'], ['true', 'notString'], ['[]', 'notString'], ...['', '2026-02-29', '2026-1-1', '0000-01-01', '10000-01-01', '2026-01-01T00:00:00Z', 'infinity'].map(value => [quoted(value), 'notDate'] as const), [lone, 'notDate'], [nul, 'notDate']],
  taken: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31'], ['" 2028-02-29 "', '2028-02-29']]
})

const choice = ({ enum: words }: Schema): Expectations => ({
  refused: ['', 'nada', ` ${words[0]}`, `${words[0]}\0`, 'toString'].map(value => [quoted(value), 'invalidChoice', { input: value }] as const)
    .concat([['1', 'invalidChoice', { input: '1' }], ['true', 'invalidChoice', { input: 'true' }], ['1.50', 'invalidChoice', { input: '1.50' }], ['["a"]', 'invalidChoice', { input: '["a"]' }]] as any),
  taken: words.map((word: string) => [quoted(word), word])
})

const boolean = (): Expectations => ({
  refused: [['1', 'notBoolean'], ['"true"', 'notBoolean'], ['""', 'notBoolean'], ['[]', 'notBoolean'], ['{}', 'notBoolean']],
  taken: [['true', true], ['false', false]]
})

const email = (): Expectations => {
  const long = (length: number) => `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length - 248)}`
  return {
    refused: [['1', 'notString'], ['[]', 'notString'], ...['a', 'a@b', '@b.mx', 'a b@c.mx', 'a@b..mx', 'ñ@b.mx'].map(value => [quoted(value), 'notEmail'] as const), [lone, 'notEmail'], [nul, 'notEmail'], [quoted(long(255)), 'maxLength', { max_length: 254 }]],
    taken: [[quoted(long(254)), long(254)], ['""', ''], ['" ana@obra.mx "', 'ana@obra.mx']]
  }
}

const accountEmail = (): Expectations => {
  const { refused, taken } = email()
  return {
    refused: [...refused, ['""', 'blank'], ['" \\t "', 'blank']],
    taken: [...taken.filter(([json]) => json !== '""'), ['" \u212aarla@OBRA.MX "', 'karla@obra.mx']]
  }
}

const level = ({ minimum, maximum }: Schema): Expectations => ({
  refused: [
    ...['true', '1.5', '4e0', '12345678901234567890', '"4"', '""', '[4]', '{}', lone, nul].map(json => [json, 'notInteger'] as const),
    [String(minimum - 1), 'minValue', { min_value: minimum }], ['-2147483649', 'minValue', { min_value: minimum }],
    [String(maximum + 1), 'maxValue', { max_value: maximum }], ['2147483648', 'maxValue', { max_value: maximum }]
  ],
  taken: Array.from({ length: maximum - minimum + 1 }, (_, index) => [String(minimum + index), minimum + index])
})

// Whatever is taken, no answer has it.
const password = ({ minLength, maxLength }: Schema): Expectations => ({
  refused: [
    ...['1', '12345678', 'true', '["12345678"]', '{}'].map(json => [json, 'notString'] as const), ['""', 'blank'],
    ...['x', '👷'].map(one => [quoted(one.repeat(minLength - 1)), 'minLength', { min_length: minLength }] as const),
    ...['x', '👷'].map(one => [quoted(one.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }] as const)
  ],
  taken: ['x'.repeat(minLength), ' '.repeat(minLength), '👷'.repeat(maxLength), ' e\u0301\0 %_\\ '].map(value => [quoted(value), undefined])
})

const uuid = (): Expectations => ({
  refused: [['1', 'notString'], ['{}', 'notString'], ...['', 'x', '6128396f-c09b-4ec6-8699-43c5f7e3b23', '{6128396f-c09b-4ec6-8699-43c5f7e3b230}'].map(value => [quoted(value), 'notUuid'] as const), [lone, 'notUuid'], [nul, 'notUuid']],
  taken: [['"6128396F-C09B-4EC6-8699-43C5F7E3B230"', '6128396f-c09b-4ec6-8699-43c5f7e3b230']]
})

const rfc = (): Expectations => ({
  refused: [['1', 'notString'], ['[]', 'notString'], ...['', 'XAXX', 'GODE561331GR8', 'GODE5612310GR8X'].map(value => [quoted(value), 'notRfc'] as const), [lone, 'notRfc'], [nul, 'notRfc']],
  taken: [['"xaxx010101000"', 'XAXX010101000'], ['" gode-561231-gr8 "', 'GODE561231GR8']]
})

const reference = ({ type }: Schema): Expectations => ({
  refused: [
    ...[['true', 'bool'], ['1.5', 'float'], ['0.5', 'float'], ['12345678901234567890', 'int'], ['[1]', 'list'], ['{"id":1}', 'dict']].map(([json, name]) => [json, 'incorrectPk', { data_type: name }] as Refusal),
    ['0', 'minValue', { min_value: 1 }], ['-1', 'minValue', { min_value: 1 }], ['2147483648', 'maxValue', { max_value: 2147483647 }], ['2147483647', 'doesNotExist', { pk_value: 2147483647 }],
    ...[type].flat().includes('string') ? [[nul, 'nullCharacter'], [lone, 'notString'], ['"nadie"', 'nameDoesNotExist', { slug_name: 'nombre', value: 'nadie' }]] as Refusal[] : [['"1"', 'incorrectPk', { data_type: 'str' }]] as Refusal[]
  ],
  taken: []
})

const kinds: Array<[is: (schema: Schema) => boolean, expect: (schema: Schema) => Expectations]> = [
  [schema => schema['references'] === true, reference], [schema => schema['enum'] !== undefined, choice], [schema => schema['money'] === true, money],
  [schema => schema['percentage'] === true, percentage], [schema => schema['isDate'] === true, day], [schema => schema['isUuid'] === true, uuid], [schema => schema['isEmail'] === true, email],
  [schema => schema['accountEmail'] === true, accountEmail], [schema => schema['writeOnly'] === true, password],
  [schema => schema['type'] === 'integer' && schema['references'] === undefined, level],
  [schema => schema['rfc'] === true, rfc], [schema => schema['text'] === true && schema['maxLength'] !== undefined, text], [schema => schema['type'] === 'boolean', boolean]
]

/** What a field with that schema must answer. @throws {Error} for a kind of field that the table does not know: then it wants a row here */
export function expectationsOf (field: string, schema: Schema): Expectations {
  const [kind, ...more] = kinds.filter(([is]) => is(schema))
  if (kind === undefined || more.length > 0) throw new Error(`${field}: no expectations, or several, for ${JSON.stringify(schema)}`)
  const { refused, taken } = kind[1](schema)
  const nullable = schema['nullable'] === true || [schema['type']].flat().includes('null')
  return { refused: nullable ? refused : [['null', 'null'], ...refused], taken: nullable ? [['null', null], ...taken] : taken }
}
