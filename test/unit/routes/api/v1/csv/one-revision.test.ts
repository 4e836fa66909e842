import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'csv-parse/sync'
import { message } from '../../../../../../src/http/messages.ts'
import { requestSlices } from '../../../../../../src/http/slices.ts'
import { Spools } from '../../../../../../src/http/spool.ts'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { readWholeList } from '../../../../../../src/resources/reading/whole-list.ts'
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
  // Even if a check throws, so that the writer ends.
  t.teardown(() => exported.abort())
  const writing = (async () => {
    for (let iva = 2; !exported.signal.aborted; iva = iva % 90 + 1) {
      await psql('update contracts set iva_porcentaje = $1 where company_id = 1 and folio = any ($2)', [iva, ends])
      await sleep(5)
    }
  })()
  const statuses: number[] = []
  for (let round = 0; round < 4; round++) {
    const { statusCode, headers, body } = await director.get('contracts/?ordering=-folio&fields=folio,iva_porcentaje', { accept: 'text/csv' })
    statuses.push(statusCode)
    if (statusCode === 503) {
      t.strictSame([headers['retry-after'], JSON.parse(body)], ['10', { detail: message('en', 'changedDuringExport'), code: 'unavailable' }])
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
  const write = async (...given: Array<ReturnType<typeof at>>) => await writeCsv(spool, columns, parts(...given), requestSlices.begin('test'), () => {})
  t.equal(await write(at(1, 1), at(2, 2)), false)
  t.equal(await write(at(2, 3), at(2, 4)), true)
  const text = await Array.fromAsync(spool.stream())
  t.equal(Buffer.concat(text).toString(), '\ufeffid\r\n3\r\n4\r\n')
})

t.test('a list is read in parts of 100 rows and printed with a pause before each 20 rows, so an export keeps the process busy for short times only', async (t) => {
  const ids = Array.from({ length: 250 }, (_, index) => index + 1)
  const asked: string[] = []
  const reader = async (_query: object, [part]: unknown[]) => {
    if (typeof part !== 'string') return [{ revision: 1, stamp: 1, ids: `{${ids.join()}}`, count: ids.length }]
    asked.push(part)
    return part.slice(1, -1).split(',').map(id => ({ revision: 1, stamp: 1, hit: true, id }))
  }
  let pauses = 0
  const pause = () => {
    pauses++
    return undefined
  }
  const spool = await new Spools({ perText: 10_000, total: 10_000 }).create()
  t.equal(await writeCsv(spool, [{ name: 'id', print: String }], readWholeList(reader, contracts, {}, 'UTC'), pause, () => {}), true)
  t.strictSame(asked, [ids.slice(0, 100), ids.slice(100, 200), ids.slice(200)].map(part => `{${part.join()}}`))
  t.equal(pauses, 5 + 5 + 3)
  const text = await Array.fromAsync(spool.stream())
  t.equal(Buffer.concat(text).toString(), `\ufeffid\r\n${ids.map(id => `${id}\r\n`).join('')}`)
})
