import t from 'tap'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import { writeTurn } from '../../../../src/database/turns/write-turn.ts'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { updateRecord } from '../../../../src/resources/writing/update.ts'
import { openTestDatabase } from '../../../support/helper.ts'
import { removeRecord } from '../../../../src/resources/writing/remove.ts'

t.test('a concurrent write between the read and the write of a change is not lost', async (t) => {
  const { database: { sql }, psql } = await openTestDatabase(t)
  const [{ company }] = await psql('select min(id) as company from companies') as [{ company: number }]
  const [{ id }] = await psql("insert into contracts (company_id, folio) values ($1, 'VERSIÓN') returning id", [company]) as [{ id: number }]
  const record = async () => await psql('select monto, descripcion from contracts where id = $1', [id])
  const always = () => true

  /** Turns that write the amount to the contract right after the first read. */
  function overtakenBy (monto: string) {
    const read = readTurn(sql)
    let isFirst = true
    return {
      write: writeTurn(sql),
      async read (request: Parameters<typeof read>[0]) {
        const rows = await read(request)
        if (isFirst) {
          isFirst = false
          await psql('update contracts set monto = $1 where id = $2', [monto, id])
        }
        return rows
      }
    }
  }

  t.strictSame(await updateRecord(overtakenBy('7.00'), contracts, company, String(id), { values: { descripcion: 'mía' }, problems: [] }, always, always), { isOvertaken: true })
  t.same(await record(), [{ monto: '7.00', descripcion: '' }], 'an update changes nothing')
  t.strictSame(await removeRecord(overtakenBy('8.00'), contracts, company, String(id), always), { isOvertaken: true })
  t.same(await record(), [{ monto: '8.00', descripcion: '' }], 'a delete removes nothing')
})
