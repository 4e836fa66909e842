import t from 'tap'
import { plainText } from '../../../../src/resources/validation/convert.ts'
import { migrate } from '../../../../src/server/migrate.ts'
import { build } from '../../../support/helper.ts'
import { openReleased } from '../../../support/released.ts'

const marks = ['\u200b', '\ufeff', '\u00ad', '\u200e', '\u200f', '\u202e', '\u2060', '\u2066', '\u034f', '\u180e', '\u3164', '\u0001', '\u009f', '\u200d', '\ufe0f', '\ufff9', '\u{e0041}']

t.test('invisible characters are removed; those that shape a letter or an emoji stay', (t) => {
  for (const mark of marks) t.equal(plainText(` ${mark} A${mark}1${mark} `), 'A1', escape(mark))
  for (const text of ['👩🏽\u200d🏭', '❤\ufe0f\u200d🔥', 'می\u200cخواهم', 'क्\u200dष', 'a\tb\nc', 'Ñandú']) t.equal(plainText(text), text.normalize('NFC'), text)
  for (const text of ['A\u200d\u200bB', '👷\ufe0f\ufe0f\u200d👷', '\u200b\u200d👷', '👷\u200d\u200b👷']) t.equal(plainText(plainText(text) ?? ''), plainText(text), escape(text))
  t.end()
})

t.test('invisible characters do not hide a long run of combining marks, which would take quadratic time', (t) => {
  const run = '\u0301\u0316'.repeat(15)
  t.equal(plainText(`a${run}`), `a${run}`.normalize('NFC'))
  for (const mark of marks) t.equal(plainText(`a${run}${mark}${run}`), undefined, escape(mark))
  t.end()
})

t.test('no unique text has a second value that looks the same', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const contract = (await director.post('contracts/', { folio: 'SEEN-1', external_id: 'SEEN-1' })).json()
  t.equal((await director.post('contrapartes/', { nombre: 'Seen' })).statusCode, 201)
  const concept = { contract: contract.id, unidad: 'm', cantidad: '1', precio_unitario: '1' }
  t.equal((await director.post('conceptos/', { ...concept, clave: 'SEEN-1' })).statusCode, 201)
  const refused = async (url: string, body: object, field: string) => {
    const answer = await director.post(url, body)
    t.equal(answer.statusCode, 400, `${url} ${field}`)
    t.ok(answer.json().errors[field], `${url} names ${field}`)
  }
  for (const mark of ['\u200b', '\ufeff', '\u00ad', '\u202e', '\u200d']) {
    await refused('contracts/', { folio: `SEEN${mark}-1` }, 'folio')
    await refused('contracts/', { folio: 'SEEN-2', external_id: `${mark}SEEN-1` }, 'external_id')
    await refused('contrapartes/', { nombre: `S${mark}een` }, 'nombre')
    await refused('conceptos/', { ...concept, clave: `SEEN-1${mark}` }, 'clave')
    await refused('contracts/', { folio: mark }, 'folio')
    const found = (await director.get(`contracts/?folio=${encodeURIComponent(`${mark}SEEN-1`)}`)).json()
    t.equal(found.count, 1, 'a filter finds the record')
  }
  const stored = await director.post('contracts/', { folio: '\ufeffSEEN\u200b-3', descripcion: 'ob\u00adra' })
  t.equal(stored.statusCode, 201)
  t.match(stored.json(), { folio: 'SEEN-3', descripcion: 'obra' })
  const upsert = await director.post('contracts/bulk/', { upsert: 'external_id', items: [{ folio: 'SEEN-1', external_id: 'SEEN\u200b-1', descripcion: 'again' }] })
  t.match(upsert.json(), { results: [{ id: contract.id, descripcion: 'again' }] })
})

t.test('a migration removes them from stored texts, unless another record has the same text', async (t) => {
  const { orm } = await openReleased(t)
  const run = async (sql: string) => await orm.em.execute(sql)
  await run("insert into customers (nombre) values ('C')")
  await run("insert into companies (nombre, customer_id) select 'Marks', id from customers where nombre = 'C'")
  const admit = async () => await run("select set_config('app.companies', (select array_agg(id)::text from companies where nombre = 'Marks'), false)")
  await admit()
  await run(`insert into contracts (company_id, folio, external_id) select c.id, x.folio, x.external_id from companies c,
    (values (E'F\\u200b1', E'\\ufeffE1'), ('F2', 'E2'), (E'F2\\u00ad', 'E3'), (E'\\u200b', null)) x (folio, external_id) where c.nombre = 'Marks'`)
  await run("update users set email = E'\\u200b' || email where email = 'director@demo.example'")
  await migrate(orm)
  await admit()
  t.same(await run("select c.folio, c.external_id from contracts c join companies o on o.id = c.company_id where o.nombre = 'Marks' order by c.id"), [
    { folio: 'F1', external_id: 'E1' }, { folio: 'F2', external_id: 'E2' }, { folio: 'F2\u00ad', external_id: 'E3' }, { folio: '\u200b', external_id: null }
  ])
  t.same(await run("select count(*)::int as n from users where email = 'director@demo.example'"), [{ n: 1 }])
})
