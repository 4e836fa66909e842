import fc from 'fast-check'
import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { character } from '../../../support/character.ts'
import { cursorAfter, orderings, parseOrdering, readCursor } from '../../../../src/resources/reading/page.ts'

const cents = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }).map(n => n.toString().padStart(3, '0').replace(/(..)$/, '.$1'))
const day = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }).map(date => date.toISOString().slice(0, 10))
const instant = fc.tuple(day, fc.nat(999_999)).map(([day, micros]) => `${day}T23:59:59.${String(micros).padStart(6, '0')}Z`)
const text = fc.string({ unit: character, maxLength: 64 }).filter(text => !text.includes('\0'))
const row = fc.record({
  id: fc.maxSafeNat().map(id => id || 1),
  folio: text,
  contraparte: fc.option(text),
  monto: cents,
  moneda: text,
  fecha_inicio: fc.option(day),
  fecha_fin: fc.option(day),
  estado: text,
  created_at: instant,
  updated_at: instant
})
const ordering = fc.uniqueArray(fc.constantFrom(...orderings(contracts)), { selector: part => part.replace('-', '') })

t.test('a cursor with one changed character gives values that the database accepts, or is 400', async () => {
  fc.assert(fc.property(row, ordering, fc.nat(), fc.constantFrom(...'Aa0_-=+/ \n'), (record, order, at, letter) => {
    const keys = parseOrdering(contracts, order)
    const cursor = cursorAfter(record, keys)
    const index = at % cursor.length
    try {
      const { values } = readCursor(cursor.slice(0, index) + letter + cursor.slice(index + 1), keys)
      return values.length === keys.length && values.every(value => value === null || typeof value === 'number' || (typeof value === 'string' && !value.includes('\0')))
    } catch (error) {
      return (error as { statusCode?: number }).statusCode === 400
    }
  }), { numRuns: 500 })
})
