import t from 'tap'
import { keysTaken } from '../../../../src/resources/writing/unique.ts'

const resource = { uniqueWithin: { clave: [{ column: 'contract_id', isNullable: false }, { column: 'convenio_id', isNullable: true }] }, copies: [] }
const step = (index: number, clave: string, convenio: number | null = null, contract = 1) => ({ index, record: { contract, convenio, clave, external_id: clave } })

t.test('a value is taken by an earlier record with the same references', async (t) => {
  const taken = keysTaken(resource, [step(2, 'A'), step(4, 'A', 7), step(5, 'A')])
  t.notOk(taken('clave', step(1, 'A')), 'the others come later')
  t.ok(taken('clave', step(3, 'A')))
  t.ok(taken('clave', step(9, 'A', 7)))
  t.notOk(taken('clave', step(3, 'A', 7)))
  t.notOk(taken('clave', step(9, 'A', null, 2)), 'another contract')
  t.notOk(taken('clave', step(9, 'B')))
  t.ok(taken('external_id', step(9, 'A', null, 2)), 'unique in the company')
})

t.test('each record is read once, so that a bulk of many refused items does not block the process', async (t) => {
  let reads = 0
  const counted = (index: number) => {
    const { record } = step(index, `A-${index}`)
    return { index, record: { ...record, get clave () { return `${++reads && record.clave}` } } }
  }
  const count = 500
  const taken = keysTaken(resource, Array.from({ length: count }, (_, index) => counted(index)))
  for (let index = 0; index < count; index++) t.ok(taken('clave', step(count + index, `A-${index}`)))
  t.equal(reads, count)
})
