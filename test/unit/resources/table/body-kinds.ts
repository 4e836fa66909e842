import type { TSchema } from '@sinclair/typebox'
import type { MessageKey, MessageValues } from '../../../../src/http/messages.ts'
import { largestId } from '../../../../src/resources/validation/convert.ts'

/** An invalid value as JSON text, and its expected message. */
export type Refusal = readonly [json: string, key: MessageKey, values?: MessageValues]

/** A valid value as JSON text, and its stored value. */
export type Taken = readonly [json: string, kept: unknown]

/** Values that every field of a kind must refuse, and values at its limits that it must accept. */
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
    ['true', 'notString'], ['[]', 'notString'], ['{"a":1}', 'notString'], ['[1]', 'notString'], ['9'.repeat(maxLength + 1), 'maxLength', { max_length: maxLength }],
    [nul, 'nullCharacter'], [lone, 'notString'], ['"a\\udc00"', 'notString'],
    [quoted('x'.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }], [quoted('👷'.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }],
    ...minLength === undefined ? [] : [['""', 'blank'], ['" \\n\\t "', 'blank'], ['"\\u00a0\\u2003"', 'blank']] as const
  ],
  taken: [
    [quoted('x'.repeat(maxLength)), 'x'.repeat(maxLength)], [quoted('👷'.repeat(maxLength)), '👷'.repeat(maxLength)],
    [quoted(` ${'e\u0301'.repeat(maxLength)} `), 'é'.repeat(maxLength)], [quoted('x'), 'x'], ...['1', '1.50', '1.5', '-0', '1e400', '12345678901234567890'].filter(json => json.length <= maxLength).map(json => [json, json] as const), ['"\'; --\\"<b>%_\\\\"', '\'; --"<b>%_\\'],
    ...minLength === undefined ? [['" "', '']] as const : []
  ]
})

const decimals: Refusal[] = [
  ['"1.005"', 'maxDecimalPlaces', { max_decimal_places: 2 }], ['0.001', 'maxDecimalPlaces', { max_decimal_places: 2 }],
  ['12345678901234567', 'maxWholeDigits', { max_whole_digits: 16 }], ['"12345678901234567.00"', 'maxWholeDigits', { max_whole_digits: 16 }],
  ['-0.01', 'minValue', { min_value: 0 }], ['"-1"', 'minValue', { min_value: 0 }],
  ['1e2', 'notNumber'], ['"1e2"', 'notNumber'], ['"NaN"', 'notNumber'], ['"1,5"', 'notNumber'], ['"10%"', 'notNumber'], ['"diez"', 'notNumber'], ['""', 'notNumber'], ['true', 'notNumber'], ['[]', 'notNumber'], ['{}', 'notNumber'],
  [lone, 'notNumber'], [nul, 'notNumber']
]

const money = (): Expectations => ({
  refused: decimals,
  taken: [['0', '0.00'], ['"9999999999999999.99"', '9999999999999999.99'], ['9999999999999999.99', '9999999999999999.99'], ['" 7.5 "', '7.50'], ['-0', '0.00']]
})

/** Decimals other than money and percentages. A rule of the resource can refuse negative ones that the schema admits. */
const decimal = ({ decimal: { whole, places, shown = places, signed = false } }: Schema): Expectations => {
  const largest = `${'9'.repeat(whole)}.${'9'.repeat(places)}`
  return {
    refused: [
      ...decimals.filter(([, key]) => key === 'notNumber'), ...signed === true ? [] : [['-0.01', 'minValue', { min_value: 0 }] as Refusal],
      [`"0.${'1'.repeat(places + 1)}"`, 'maxDecimalPlaces', { max_decimal_places: places }], [`${'1'.repeat(whole + 1)}`, 'maxWholeDigits', { max_whole_digits: whole }]
    ],
    taken: [['0', `0.${'0'.repeat(shown)}`], [quoted(largest), largest], [largest, largest], ['" 7.5 "', `7.5${'0'.repeat(shown - 1)}`], ['-0', `0.${'0'.repeat(shown)}`]]
  }
}

const percentage = (): Expectations => ({
  refused: [...decimals, ['100.01', 'maxValue', { max_value: 100 }], ['"101"', 'maxValue', { max_value: 100 }]],
  taken: [['0', '0.00'], ['100', '100.00'], ['"99.99"', '99.99'], ['0.07', '0.07']]
})

const day = (): Expectations => ({
  refused: [['20260101', 'notDate'], ['true', 'notDate'], ['[]', 'notDate'], ...['', '2026-02-29', '20260101', '2026-1-', '2026-013-1', '2026-W01-1', '0000-01-01', '10000-01-01', '2026-01-01T00:00:00Z', 'infinity', '01/02/2026'].map(value => [quoted(value), 'notDate'] as const), [lone, 'notDate'], [nul, 'notDate']],
  taken: [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31'], ['" 2028-02-29 "', '2028-02-29'], ['"2028-2-9"', '2028-02-09'], ['"2028-02-9"', '2028-02-09']]
})

const time = (): Expectations => ({
  refused: [['true', 'notInstant'], ['[]', 'notInstant'], ...['', '2026-03-01', '2026-02-29T00:00Z', '2026-03-01T24:00Z', '2026-03-01T00:00+15:00', '0001-01-01T00:00+01:00', 'infinity'].map(value => [quoted(value), 'notInstant'] as const), [lone, 'notInstant'], [nul, 'notInstant']],
  taken: [['"2026-03-01T10:00:00.5-06:00"', '2026-03-01T16:00:00.500000Z'], ['" 2026-03-01T10:00Z "', '2026-03-01T10:00:00.000000Z'], ['"0001-01-01T00:00Z"', '0001-01-01T00:00:00.000000Z'], ['"9999-12-31T23:59:59.999999Z"', '9999-12-31T23:59:59.999999Z']]
})

const timeZone = (): Expectations => ({
  refused: [['1', 'notTimeZone'], ['true', 'notTimeZone'], ...['', '-06:00', 'UTC-6', 'America/Nowhere'].map(value => [quoted(value), 'notTimeZone'] as const), [lone, 'notTimeZone'], [nul, 'notTimeZone']],
  taken: [['" america/tijuana "', 'America/Tijuana'], ['"UTC"', 'UTC']]
})

const hash = (): Expectations => ({
  refused: [['1', 'notHash'], ['true', 'notHash'], ...['', 'a'.repeat(63), 'a'.repeat(65), 'g'.repeat(64)].map(value => [quoted(value), 'notHash'] as const), [lone, 'notHash'], [nul, 'notHash']],
  taken: [[quoted('aB'.repeat(32)), 'ab'.repeat(32)]]
})

const choice = ({ enum: words }: Schema): Expectations => ({
  refused: [...['', 'nada', ` ${words[0]}`, `${words[0]}\0`, 'toString', words[0].toUpperCase() === words[0] ? words[0].toLowerCase() : words[0].toUpperCase()].map(value => [quoted(value), value] as const), ...['1', 'true', '1.50', '["a"]'].map(json => [json, json] as const)]
    .map(([json, input]) => [json, 'invalidChoiceOf', { input, choices: words }] as const),
  taken: words.map((word: string) => [quoted(word), word])
})

/** Names of other media types are accepted too, in any case. */
const mediaType = ({ enum: words, mediaType: others }: Schema): Expectations => ({
  refused: ['', 'nada', `${words[0]}\0`, 'image/tiff'].map(value => [quoted(value), 'invalidChoiceOf', { input: value, choices: words }] as const),
  taken: [...words.map((word: string) => [quoted(word), word] as const), ...Object.entries<string>(others).map(([other, word]) => [quoted(` ${other.toUpperCase()} ; q=1`), word] as const)]
})

const boolean = (): Expectations => ({
  refused: ['2', '-1', '0.5', '12345678901234567890', '""', '" true"', '"2"', '"sí"', '"null"', '[]', '{}', '[true]', lone, nul].map(json => [json, 'notBoolean'] as const),
  taken: [
    ...['true', '1', '1.0', ...['true', 'True', 'TRUE', 't', 'T', 'y', 'yes', 'on', '1'].map(quoted)].map(json => [json, true] as const),
    ...['false', '0', '0.0', '-0', ...['false', 'False', 'FALSE', 'f', 'F', 'n', 'no', 'off', '0'].map(quoted)].map(json => [json, false] as const)
  ]
})

const email = (): Expectations => {
  const long = (length: number) => `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length - 248)}`
  return {
    refused: [['1', 'notEmail'], ['true', 'notString'], ['[]', 'notString'], ...['a', 'a@b', '@b.mx', 'a b@c.mx', 'a@b..mx', 'ñ@b.mx'].map(value => [quoted(value), 'notEmail'] as const), [lone, 'notEmail'], [nul, 'notEmail'], [quoted(long(255)), 'maxLength', { max_length: 254 }]],
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

/** The integers of a small range, or those at its limits and around 0. */
function some (minimum: number, maximum: number): number[] {
  const all = maximum - minimum < 10 ? Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index) : [minimum, -1, 0, 1, maximum]
  return all.filter(number => number >= minimum && number <= maximum)
}

const integer = ({ minimum, maximum }: Schema): Expectations => ({
  refused: [
    ...['true', '1.5', '4e0', '"4e0"', '"1.5"', '"0x4"', '"4 4"', '""', '[4]', '{}', lone, nul, quoted('4'.repeat(1001))].map(json => [json, 'notInteger'] as const),
    ...['12345678901234567890', '"12345678901234567890"', '"9007199254740993"'].map(json => [json, 'maxValue', { max_value: maximum }] as const), ['-12345678901234567890', 'minValue', { min_value: minimum }],
    [String(minimum - 1), 'minValue', { min_value: minimum }], ['-2147483649', 'minValue', { min_value: minimum }],
    [String(maximum + 1), 'maxValue', { max_value: maximum }], ...['2147483648', '12345678901234567890'].map(json => [json, 'maxValue', { max_value: maximum }] as const)
  ],
  taken: some(minimum, maximum).flatMap(number => [`${number}`, `${number}.0`, `"${number}"`, `" ${number < 0 ? '-' : '+'}0${Math.abs(number)} "`, `"${number}.0"`].map(json => [json, number] as const))
})

// No answer has a password.
const password = ({ minLength, maxLength }: Schema): Expectations => ({
  refused: [
    ...['true', '["12345678"]', '{}'].map(json => [json, 'notString'] as const), ['""', 'blank'], ['1', 'minLength', { min_length: minLength }],
    ...['x', '👷'].map(one => [quoted(one.repeat(minLength - 1)), 'minLength', { min_length: minLength }] as const),
    ...['x', '👷'].map(one => [quoted(one.repeat(maxLength + 1)), 'maxLength', { max_length: maxLength }] as const)
  ],
  taken: ['x'.repeat(minLength), ' '.repeat(minLength), '👷'.repeat(maxLength), ' e\u0301\0 %_\\ '].map(quoted).concat('1234567.50').map(json => [json, undefined])
})

// The UUID is in no demo data: only one live estimate of a company can have it.
const uuid = (): Expectations => ({
  refused: [['1', 'notUuid'], ['6128396', 'notUuid'], ['true', 'notUuid'], ['{}', 'notUuid'], ...['', 'x', '6128396f-c09b-4ec6-8699-43c5f7e3b23', '6128396f-c09b-4ec6-8699-43c5f7e3b2300', '{6128396f-c09b-4ec6-8699-43c5f7e3b230', 'g128396f-c09b-4ec6-8699-43c5f7e3b230'].map(value => [quoted(value), 'notUuid'] as const), [lone, 'notUuid'], [nul, 'notUuid']],
  taken: ['2F0E8A54-9B3D-4C61-8E7A-51D6C0B39F42', '2f0e8a549b3d4c618e7a51d6c0b39f42', ' 2f0e8a54-9b3d-4c61-8e7a-51d6c0b39f42\n', '{2f0e8a54-9b3d-4c61-8e7a-51d6c0b39f42}', 'urn:uuid:2f0e8a54-9b3d-4c61-8e7a-51d6c0b39f42']
    .map(value => [quoted(value), '2f0e8a54-9b3d-4c61-8e7a-51d6c0b39f42'])
})

const rfc = (): Expectations => ({
  refused: [['1', 'notRfc'], ['true', 'notString'], ['[]', 'notString'], ...['', 'XAXX', 'GODE561331GR8', 'GODE5612310GR8X'].map(value => [quoted(value), 'notRfc'] as const), [lone, 'notRfc'], [nul, 'notRfc']],
  taken: [['"xaxx010101000"', 'XAXX010101000'], ['" gode-561231-gr8 "', 'GODE561231GR8']]
})

/** The refusal of an id without a record, or out of range. */
const absent = (json: string): Refusal => [json, 'doesNotExist', { pk_value: json.replaceAll('"', '') }]

const reference = ({ type, nullable }: Schema): Expectations => {
  const types = [type].flat()
  const isNameToo = types.includes('string')
  const empty = nullable === true || types.includes('null') ? { refused: [], taken: [['""', null]] as Taken[] } : { refused: [['""', 'null']] as Refusal[], taken: [] }
  return {
    refused: [
      ...[['true', 'bool'], ['1.5', 'float'], ['0.5', 'float'], ['1e0', 'float'], ['1.0', 'float'], ['[1]', 'list'], ['{"id":1}', 'dict']].map(([json, name]) => [json, 'incorrectPk', { data_type: name }] as Refusal),
      ...types.includes('object') ? [['{"external_id":"nadie"}', 'nameDoesNotExist', { slug_name: 'external_id', value: 'nadie' }] as Refusal] : [],
      ...['0', '-1', '12345678901234567890', '-12345678901234567890', String(largestId + 1), String(largestId)].map(absent),
      ...isNameToo
        ? [[nul, 'nullCharacter'] as Refusal, [lone, 'notString'] as Refusal, ...['nadie', '1', '12345678901234567890', 'null'].map((value): Refusal => [quoted(value), 'nameDoesNotExist', { slug_name: 'nombre', value }])]
        : [...['"x"', '"1.5"', '"1.0"', '"1e0"', '" "', '"1,2"', lone, nul].map(json => [json, 'incorrectPk', { data_type: 'str' }] as Refusal), ...['"0"', '"12345678901234567890"', `"${largestId}"`].map(absent)],
      ...isNameToo ? [['""', 'blank'] as Refusal] : empty.refused
    ],
    taken: isNameToo ? [] : empty.taken
  }
}

const kinds: Array<[is: (schema: Schema) => boolean, expect: (schema: Schema) => Expectations]> = [
  [schema => schema['references'] === true, reference], [schema => schema['mediaType'] !== undefined, mediaType], [schema => schema['enum'] !== undefined && schema['mediaType'] === undefined, choice], [schema => schema['money'] === true, money],
  [schema => schema['decimal'] !== undefined, decimal],
  [schema => schema['percentage'] === true, percentage], [schema => schema['isDate'] === true, day], [schema => schema['isInstant'] === true, time], [schema => schema['isTimeZone'] === true, timeZone], [schema => schema['isHash'] === true, hash], [schema => schema['isUuid'] === true, uuid], [schema => schema['isEmail'] === true, email],
  [schema => schema['accountEmail'] === true, accountEmail], [schema => schema['writeOnly'] === true, password],
  [schema => schema['type'] === 'integer' && schema['references'] === undefined, integer],
  [schema => schema['rfc'] === true, rfc], [schema => schema['text'] === true && schema['maxLength'] !== undefined && schema['references'] === undefined, text], [schema => schema['type'] === 'boolean', boolean]
]

/** The expectations for a field with that schema. @throws {Error} for a kind of field that has no row in `kinds` */
export function expectationsOf (field: string, schema: Schema): Expectations {
  const [kind, ...more] = kinds.filter(([is]) => is(schema))
  if (kind === undefined || more.length > 0) throw new Error(`${field}: no expectations, or several, for ${JSON.stringify(schema)}`)
  const { refused, taken } = kind[1](schema)
  const nullable = schema['nullable'] === true || schema['decimal']?.nullable === true || [schema['type']].flat().includes('null')
  return { refused: nullable ? refused : [['null', 'null'], ...refused], taken: nullable ? [['null', null], ...taken] : taken }
}
