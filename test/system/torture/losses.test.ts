import t from 'tap'
import { randomFrom } from '../../../src/trial/random.ts'
import { demoPlace } from '../../support/process.ts'
import { losses } from './losses.ts'
import { looking } from './places.ts'
import { emptyTally } from './sender.ts'
import { Writer } from './writer.ts'

const company = "(select id from companies where nombre = 'Obra Norte')"

/** A writer that has written nothing. */
function silent (): Writer {
  return new Writer('PRUEBA', { origin: () => '', token: '', random: randomFrom(1), patience: 1, abandoned: AbortSignal.abort() }, emptyTally())
}

t.test('a lost, changed, extra or duplicate record is reported', async (t) => {
  await looking(await demoPlace(t), async (psql) => {
    const [one, other] = await psql(`insert into contracts (company_id, folio, monto) values (${company}, 'PRUEBA-1', 100), (${company}, 'PRUEBA-2', 200) returning id, folio, monto`) as Array<{ id: number, folio: string, monto: string }>
    if (one === undefined || other === undefined) throw new Error('there are no contracts')
    const [estimate] = await psql(`insert into estimates (company_id, contract_id, descripcion) values (${company}, ${one.id}, 'PRUEBA-3') returning id, numero`) as [{ id: number, numero: number }]
    const acknowledged = { contract: one.id, numero: 1, descripcion: 'PRUEBA-3', estado: 'borrador' }
    const reports = (wrong: string[], change: (writer: Writer) => void = () => {}) => {
      const [writer, second] = [silent(), silent()]
      writer.expected.contracts.set(one.id, { folio: 'PRUEBA-1', monto: '100.00' })
      second.expected.contracts.set(other.id, { folio: 'PRUEBA-2', monto: '200.00' })
      writer.expected.estimates.set(estimate.id, { ...acknowledged })
      change(writer)
      return losses([writer, second], psql, 'PRUEBA-').then(lost => t.strictSame(lost, wrong))
    }

    await reports([])
    await reports(['an answer'], ({ wrong }) => wrong.push('an answer'))
    await reports(['contract 999999 was acknowledged but is lost: {"folio":"PRUEBA-9","monto":"1.00"}'], ({ expected }) => expected.contracts.set(999_999, { folio: 'PRUEBA-9', monto: '1.00' }))
    await reports(['estimate 999999 was acknowledged but is lost: {"contract":1,"numero":1,"descripcion":"","estado":"borrador"}'],
      ({ expected }) => expected.estimates.set(999_999, { contract: 1, numero: 1, descripcion: '', estado: 'borrador' }))
    await reports([`contract ${one.id} differs from the acknowledged write: ${JSON.stringify(one)} in place of {"folio":"PRUEBA-1","monto":"100.01"}`], ({ expected }) => expected.contracts.set(one.id, { folio: 'PRUEBA-1', monto: '100.01' }))
    const row = { id: estimate.id, ...acknowledged }
    await reports([`estimate ${estimate.id} differs from the acknowledged write: ${JSON.stringify(row)} in place of ${JSON.stringify({ ...acknowledged, estado: 'enviada' })}`],
      ({ expected }) => expected.estimates.set(estimate.id, { ...acknowledged, estado: 'enviada' }))
    await reports([`contract ${one.id} exists but was never acknowledged, or exists twice: ${JSON.stringify(one)}`], ({ expected }) => expected.contracts.delete(one.id))
    await reports([`estimate ${estimate.id} exists but was never acknowledged, or exists twice: ${JSON.stringify(row)}`], ({ expected }) => expected.estimates.delete(estimate.id))

    const [twice] = await psql(`insert into estimates (company_id, contract_id, descripcion) values (${company}, ${one.id}, 'PRUEBA-3') returning id`) as [{ id: number }]
    await reports([`estimate ${twice.id} exists but was never acknowledged, or exists twice: ${JSON.stringify({ ...row, id: twice.id, numero: 2 })}`])
    await psql('delete from estimates where id = $1', [twice.id])
    await psql('update company_revisions set contracts = contracts + 1 where company_id = ' + company)
    t.match(await losses([], psql, 'NADIE-'), [/^broken rule: a counter equals the number of records: 1, such as /], 'rules are checked too')
  })
})
