import t from 'tap'
import draw, { type Drawing } from '../../../../src/domain/reports/drawing.ts'
import { build } from '../../../support/helper.ts'
import { textOfPdf } from '../../../support/text-of-pdf.ts'

const { as } = await build(t, { RATE_LIMIT: 'off' })
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
