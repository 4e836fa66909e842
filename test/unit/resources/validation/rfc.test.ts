import fc from 'fast-check'
import t from 'tap'
import { genericRfcs, isRfc, normalizeRfc } from '../../../../src/resources/validation/rfc.ts'
import { openTestDatabase } from '../../../support/helper.ts'

t.test('an RFC has three or four letters, a valid date and a homoclave', async (t) => {
  for (const rfc of ['SAT970701NN3', 'CFE370814QI0', 'GODE561231GR8', 'ÑA&010101AA0', 'ABCD000229XY1', ...genericRfcs]) t.ok(isRfc(rfc), rfc)
  for (const rfc of ['', 'SAT970701', 'SA970701NN3', 'ABCDE970701NN3', 'SAT971301NN3', 'SAT970230NN3', 'SAT010229NN3', 'SAT970701NNX', '1AT970701NN3', 'sat970701nn3', 'SAT970701NN3 ']) t.notOk(isRfc(rfc), rfc)
})

t.test('spaces, hyphens and case do not matter', async (t) => {
  t.equal(normalizeRfc(' sat-970701 nn3'), 'SAT970701NN3')
  t.equal(normalizeRfc('n\u0303and970701AA1'), 'ÑAND970701AA1')
})

const alphabet = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** The SAT's algorithm in reverse: the digit that makes the weighted sum of all 13 places divisible by 11. */
function digitOf (rfc: string): string {
  const places = [...rfc.padStart(13, ' ').slice(0, 12)]
  const sum = places.reduce((total, character, index) => total + alphabet.indexOf(character) * (13 - index), 0)
  return [...'0123456789A'].find((_, digit) => (sum + digit) % 11 === 0) as string
}

t.test('the check digit follows the SAT’s algorithm', async (t) => {
  const { psql } = await openTestDatabase(t)
  for (const rfc of ['SAT970701NN3', 'CFE370814QI0', 'PME380607P35', 'GODE561231GR8']) {
    t.same(await psql('select rfc_check_digit($1) as digit', [rfc]), [{ digit: rfc.at(-1) }], rfc)
  }
  const letters = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNÑOPQRSTUVWXYZ&'), minLength: 3, maxLength: 4 })
  const homoclave = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'), minLength: 2, maxLength: 2 })
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(letters, homoclave), { minLength: 1, maxLength: 20 }), async (parts) => {
    const rfcs = parts.map(([name, key]) => `${name}900101${key}0`)
    const rows = await psql('select rfc_check_digit(rfc) as digit from unnest($1::text[]) with ordinality as q (rfc, i) order by i', [rfcs])
    t.same(rows.map(row => row['digit']), rfcs.map(digitOf))
  }), { numRuns: 20 })
})
