import fc from 'fast-check'
import t from 'tap'
import { fieldOf, type Outcome } from './ajv.ts'

const money = fieldOf({ money: true })
const percentage = fieldOf({ percentage: true })

const digits = (minLength: number, maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

/** The parts of a decimal in text. */
const decimal = fc.record({
  sign: fc.constantFrom('', '', '-'),
  whole: fc.oneof(digits(1, 4), digits(14, 19)),
  places: fc.option(fc.oneof(digits(1, 2), digits(3, 4)), { nil: undefined })
})

type Parts = typeof decimal extends fc.Arbitrary<infer T> ? T : never

/** The expected result, computed with integers of any size: the decimal, or the key of the message. */
function expected ({ sign, whole, places = '' }: Parts, most: bigint): string {
  if (places.length > 2) return 'maxDecimalPlaces'
  if (BigInt(whole) >= 10n ** 16n) return 'maxWholeDigits'
  const cents = (sign === '-' ? -1n : 1n) * BigInt(whole + places.padEnd(2, '0'))
  if (cents < 0n) return 'minValue'
  if (cents > most) return 'maxValue'
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}

function got ({ value, problems }: Outcome): unknown {
  return problems.length === 0 ? value : problems.map(({ key }) => key).join()
}

const kinds = [['money', money, 10n ** 18n - 1n], ['percentage', percentage, 10_000n]] as const
for (const [name, field, most] of kinds) {
  t.test(`${name} gives the same exact decimal or the same error as a string and as a JSON number`, async (t) => {
    const seen = new Set<unknown>()
    fc.assert(fc.property(decimal, (parts) => {
      const source = `${parts.sign}${parts.whole}${parts.places === undefined ? '' : `.${parts.places}`}`
      const oracle = expected(parts, most)
      const asString = got(field(JSON.stringify(source)))
      // JSON numbers have no leading zeros.
      const asNumber = got(field(source.replace(/^(-?)0+(?=\d)/, '$1')))
      if (asString !== oracle || asNumber !== oracle) throw new Error(`${source}: ${asString}, ${asNumber} instead of ${oracle}`)
      seen.add(/^\d/.test(oracle) ? 'taken' : oracle)
    }), { numRuns: 3000 })
    t.ok(seen.has('taken') && seen.has('maxDecimalPlaces') && seen.has('maxWholeDigits') && seen.has('minValue'), 'every outcome occurred')
  })

  t.test(`${name} that is not a plain decimal is refused`, async (t) => {
    for (const text of ['1e2', '1E2', '1e-1', 'NaN', 'Infinity', '-Infinity', '1,000', '1 000', '1_000', '0x10', '$5', '5%', '.5', '5.', '', '  ', '-', '.', '--1', '+-1', '１２', '1.0.0']) {
      t.equal(got(field(JSON.stringify(text))), 'notNumber', JSON.stringify(text))
    }
    for (const json of ['1e2', '1E2', '1.5e1', '1e-2', '1e400', 'true', 'false', '[]', '["1"]', '{}', '{"source":"5"}']) t.equal(got(field(json)), 'notNumber', json)
    t.equal(got(field('null')), 'null')
  })
}
