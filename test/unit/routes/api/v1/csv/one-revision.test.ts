import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'csv-parse/sync'
import { message } from '../../../../../../src/http/messages.ts'
import { slices } from '../../../../../../src/http/slices.ts'
import { Spools } from '../../../../../../src/http/spool.ts'
import { writeCsv } from '../../../../../../src/resources/csv/write.ts'
import { build } from '../../../../../support/helper.ts'
import { server } from '../../../../../support/template.ts'

/** More than one part. The first and the last record change together. */
const addMany = "insert into contracts (company_id, folio, iva_porcentaje) select 1, 'REV-' || n, 1 from generate_series(1000, 1600) n"
const ends = ['REV-1000', 'REV-1600']

t.test('all rows of a list are from one revision, while records change', async (t) => {
  const { as, psql } = await build(t)
  const director = await as('director@demo.example')
  await psql(addMany)
  const exported = new AbortController()
  // Also if a check throws, so that the writer ends.
  t.teardown(() => exported.abort())
  const writing = (async () => {
    for (let iva = 2; !exported.signal.aborted; iva = iva % 90 + 1) {
      await psql('update contracts set iva_porcentaje = $1 where company_id = 1 and folio = any ($2)', [iva, ends])
      await sleep(5)
    }
  })()
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    const { statusCode, body } = await director.get('contracts/?ordering=-folio&fields=folio,iva_porcentaje', { accept: 'text/csv' })
    statuses.push(statusCode)
    if (statusCode === 503) {
      t.strictSame(JSON.parse(body), { detail: message('en', 'changedDuringExport'), code: 'unavailable' })
      continue
    }
    const rows: Array<{ folio: string, iva_porcentaje: string }> = parse(body, { bom: true, columns: true })
    t.equal(rows.filter(({ folio }) => folio.startsWith('REV-')).length, 601)
    const [first, last] = rows.filter(({ folio }) => ends.includes(folio))
    t.equal(first?.iva_porcentaje, last?.iva_porcentaje)
  }
  exported.abort()
  await writing
  if (server !== undefined) t.strictSame(statuses, [200, 200, 200, 200])
  t.equal((await director.get('contracts/', { accept: 'text/csv' })).statusCode, 200, 'afterwards, every export succeeds')
})

t.test('a text ends without its rest at another revision, and begins again', async (t) => {
  const columns = [{ name: 'id', print: String }]
  const at = (revision: number, id: number) => ({ revision, stamp: 1, rows: [{ id }] })
  async function * parts (...given: Array<ReturnType<typeof at>>) { yield * given }
  const spool = await new Spools({ perText: 1000, total: 1000 }).create()
  const write = async (...given: Array<ReturnType<typeof at>>) => await writeCsv(spool, columns, parts(...given), slices('test'), () => {})
  t.equal(await write(at(1, 1), at(2, 2)), false)
  t.equal(await write(at(2, 3), at(2, 4)), true)
  const text = await Array.fromAsync(spool.stream())
  t.equal(Buffer.concat(text).toString(), '\ufeffid\r\n3\r\n4\r\n')
})
