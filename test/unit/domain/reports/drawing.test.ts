import { Piscina } from 'piscina'
import t from 'tap'
import draw, { isLong, type Drawing } from '../../../../src/domain/reports/drawing.ts'
import { build } from '../../../support/helper.ts'
import { textOfPdf } from '../../../support/text-of-pdf.ts'

const { app, as } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')

for (const { list, report } of [{ list: 'estimates', report: 'caratula' }, { list: 'contracts', report: 'estado-de-cuenta' }] as const) {
  t.test(`${report}: the document is drawn from the JSON answer alone, in each language`, async (t) => {
    const { results } = (await director.get(`${list}/?ordering=id&page_size=6`)).json()
    t.equal(results.length, 6)
    for (const [index, { id }] of results.entries()) {
      const language = index % 2 === 0 ? 'es' : 'en'
      const sent = async (accept: string) => await director.get(`${list}/${id}/${report}/`, { accept, 'accept-language': language })
      const document = await sent('application/pdf')
      t.equal(document.headers['content-type'], 'application/pdf')
      const drawn = await draw({ report, figures: (await sent('application/json')).json(), language } as Drawing)
      t.equal(await textOfPdf(Buffer.from(drawn)), await textOfPdf(document.rawPayload), `${list} ${id}`)
    }
  })
}

t.test('short documents do not wait for long ones, and customers take turns', async (t) => {
  const [{ id }] = (await director.get('contracts/?ordering=id&page_size=1')).json().results
  const figures = (await director.get(`contracts/${id}/estado-de-cuenta/`)).json()
  t.ok(figures.documentos.length > 0)
  const statement = (rows: number): Drawing => {
    return { report: 'estado-de-cuenta', language: 'es', figures: { ...figures, documentos: Array.from({ length: rows }, () => figures.documentos[0]) } }
  }
  const [short, long] = [statement(3), statement(1000)]
  t.strictSame([isLong(short), isLong(long)], [false, true])
  const ended: string[] = []
  const drawn = async (customer: string, drawing: Drawing) => {
    const bytes = await app.draw(customer, drawing)
    t.equal(bytes.subarray(0, 5).toString(), '%PDF-')
    ended.push(`${customer} ${drawing === short ? 'short' : 'long'}`)
  }
  // Both threads have loaded what they need.
  await Promise.all([app.draw('c', short), app.draw('c', statement(201))])
  const all = [...Array.from({ length: 3 }, async () => await drawn('a', long)), drawn('b', long), drawn('b', short)]
  await Promise.all(all)
  t.ok(ended.filter(one => one.endsWith('long')).indexOf('b long') <= 2, `the last of the first customer is not before it: ${ended.join()}`)
  t.ok(ended.indexOf('b short') <= 1, ended.join())
})

t.test('a customer has a limited number of documents that wait, others have their own', async (t) => {
  const [{ id }] = (await director.get('estimates/?ordering=id&page_size=1')).json().results
  const drawing: Drawing = { report: 'caratula', language: 'en', figures: (await director.get(`estimates/${id}/caratula/`)).json() }
  const drawn = Array.from({ length: 30 }, async () => await app.draw('a', drawing))
  const other = app.draw('b', drawing)
  const refused = (await Promise.allSettled(drawn)).filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 13, 'one is drawn, and 16 wait')
  t.match(refused[0], { reason: { message: 'too many short drawings wait', key: 'otherExports' } })
  t.ok((await other).length > 0)
})

t.test('long texts without spaces take little memory', async (t) => {
  const [{ id }] = (await director.get('estimates/?ordering=id&page_size=1')).json().results
  const figures = (await director.get(`estimates/${id}/caratula/`)).json()
  const text = () => Array.from({ length: 500 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')
  const movimientos = Array.from({ length: 400 }, () => ({ tipo: 'pena', antes_iva: true, motivo: text(), ...figures.importes.monto }))
  const filename = new URL('../../../../src/domain/reports/drawing.ts', import.meta.url).href
  const thread = new Piscina({ filename, maxThreads: 1, resourceLimits: { maxOldGenerationSizeMb: 96 } })
  t.teardown(async () => await thread.destroy())
  t.ok((await thread.run({ report: 'caratula', language: 'en', figures: { ...figures, movimientos } })).length > 0)
})
