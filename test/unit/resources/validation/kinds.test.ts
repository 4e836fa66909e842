import fc from 'fast-check'
import t from 'tap'
import { decimal, money, price, quantity } from '../../../../src/resources/declaration/decimals.ts'
import type { Field } from '../../../../src/resources/declaration/field.ts'
import { hash, instant, integer, timeZone } from '../../../../src/resources/declaration/fields.ts'
import { routeSchemas } from '../../../../src/resources/declaration/route-schemas.ts'
import type { DecimalForm } from '../../../../src/resources/validation/keywords.ts'
import { fieldOf, type Outcome } from './ajv.ts'

const taking = ({ spec }: Field<any>) => fieldOf(spec.input as object)

function got ({ value, problems }: Outcome): unknown {
  return problems.length === 0 ? value : problems.map(({ key }) => key).join()
}

const kinds: Array<[name: string, field: Field<string>, form: Form]> = [
  ['quantity', quantity(), { whole: 14, places: 4, shown: 4, signed: true }],
  ['price', price(), { whole: 12, places: 6, shown: 2, signed: false }],
  ['decimal(9, 6)', decimal(9, 6), { whole: 3, places: 6, shown: 6, signed: false }],
  ['decimal(5, 0)', decimal(5, 0), { whole: 5, places: 0, shown: 0, signed: false }],
  ['money', money(), { whole: 16, places: 2, shown: 2, signed: false }],
  ['signed money', money().signed(), { whole: 16, places: 2, shown: 2, signed: true }]
]

type Form = Required<Omit<DecimalForm, 'nullable' | 'echoed'>>

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })
const parts = fc.record({ sign: fc.constantFrom('', '', '-'), digits: fc.oneof(digits(1, 5), digits(10, 18)), fraction: fc.option(fc.oneof(digits(1, 7), digits(1, 2).map(some => `${some}000`)), { nil: '' }) })

/** The expected result, computed with integers: the decimal, or the key of the message. */
function expected (sign: string, whole: string, fraction: string, form: Form): string {
  if (fraction.length > form.places) return 'maxDecimalPlaces'
  if (BigInt(whole) >= 10n ** BigInt(form.whole)) return 'maxWholeDigits'
  const units = BigInt(whole + fraction.padEnd(form.places, '0'))
  if (sign === '-' && units > 0n && !form.signed) return 'minValue'
  let places = String(units % 10n ** BigInt(form.places)).padStart(form.places, '0')
  while (places.length > form.shown && places.endsWith('0')) places = places.slice(0, -1)
  return `${sign === '-' && units > 0n ? '-' : ''}${units / 10n ** BigInt(form.places)}${form.places === 0 ? '' : `.${places}`}`
}

for (const [name, field, form] of kinds) {
  t.test(`${name} gives the same exact decimal or the same error as a string and as a JSON number`, async (t) => {
    const take = taking(field)
    const shown = new RegExp((field.spec.shown as unknown as { pattern: string }).pattern)
    const seen = new Set<string>()
    fc.assert(fc.property(parts, ({ sign, digits: whole, fraction }) => {
      const source = `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
      const oracle = expected(sign, whole, fraction, form)
      const asString = got(take(JSON.stringify(source)))
      const asNumber = got(take(source.replace(/^(-?)0+(?=\d)/, '$1')))
      if (asString !== oracle || asNumber !== oracle) throw new Error(`${source}: ${asString}, ${asNumber} instead of ${oracle}`)
      const isTaken = /^-?\d/.test(oracle)
      if (isTaken && !shown.test(oracle)) throw new Error(`${oracle} is not in the form of answers`)
      seen.add(isTaken ? oracle.startsWith('-') ? 'negative' : 'taken' : oracle)
    }), { numRuns: 3000 })
    t.strictSame([...seen].sort(), ['maxDecimalPlaces', 'maxWholeDigits', form.signed ? 'negative' : 'minValue', 'taken'].sort())
    for (const text of ['1e2', 'Infinity', '1,000', '1 000', '1_000', '0x10', '5%', '.5', '5.', '', '  ', '-', '.', '--1', '+-1', '１２', '1.0.0']) t.equal(got(take(JSON.stringify(text))), 'notNumber', text)
    for (const json of ['1e2', '1e400', 'true', '[]', '["1"]', '{}', '{"source":"5"}']) t.equal(got(take(json)), 'notNumber', json)
    t.equal(got(take('null')), 'null')
  })
}

t.test('a nullable decimal accepts null', async (t) => {
  for (const kind of [quantity, money, price]) {
    const { create } = routeSchemas({ title: 'One', head: {}, specs: [['field', kind().nullable().spec]], items: [], details: [], alsoShown: [], once: undefined, examples: {}, orderings: [], filters: {}, isSearched: true })
    const take = fieldOf(create.properties['field'])
    t.strictSame(take('null'), { value: null, problems: [] })
    t.equal(got(take('"x"')), 'notNumber')
  }
})

t.test('an instant keeps its offset, or has none', async (t) => {
  const take = taking(instant())
  for (const [text, value] of [
    ['2026-03-01T15:04:05Z', '2026-03-01T15:04:05Z'], ['2026-3-1T15:04', '2026-03-01T15:04:00'], ['2026-03-01 23:04:05.123456-0600', '2026-03-01T23:04:05.123456-06:00']
  ] as const) t.equal(got(take(JSON.stringify(text))), value, text)
  for (const text of ['', '2026-03-01', '2026-02-29T00:00:00Z']) t.equal(got(take(JSON.stringify(text))), 'notInstant', text)
  for (const json of ['1', 'true', '{}']) t.equal(got(take(json)), 'notInstant', json)
})

t.test('a time zone has a name', async (t) => {
  const take = taking(timeZone())
  t.equal(got(take('"America/Tijuana"')), 'America/Tijuana')
  t.equal(got(take('" america/mexico_city "')), 'America/Mexico_City')
  for (const json of ['""', '"-06:00"', '"UTC-6"', '"America/Nowhere"', '1']) t.equal(got(take(json)), 'notTimeZone', json)
})

t.test('a hash has 64 hexadecimal digits', async (t) => {
  const take = taking(hash())
  t.equal(got(take(`" ${'AB'.repeat(32)}"`)), 'ab'.repeat(32))
  for (const json of ['""', `"${'a'.repeat(63)}"`, `"${'a'.repeat(65)}"`, `"${'g'.repeat(64)}"`, '1']) t.equal(got(take(json)), 'notHash', json)
})

t.test('an integer has its bounds, and its column is small if they are', async (t) => {
  const take = taking(integer(1, 26_214_400))
  t.equal(got(take('26214400')), 26_214_400)
  t.equal(got(take('"7"')), 7)
  t.equal(got(take('26214401')), 'maxValue')
  t.equal(got(take('0')), 'minValue')
  t.equal(got(take('1.5')), 'notInteger')
})

t.test('only decimals can be signed, before filters', async (t) => {
  t.throws(() => integer(0, 1).signed(), { message: 'only decimals can be signed' })
  t.throws(() => money().filterable('of that amount').signed(), { message: 'signed() must come before filterable()' })
})
