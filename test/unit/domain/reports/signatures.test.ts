import t from 'tap'
import { amountNames } from '../../../../src/domain/reports/amounts.ts'
import type { CaratulaFigures } from '../../../../src/domain/reports/caratula/schemas.ts'
import draw from '../../../../src/domain/reports/drawing.ts'
import { pagesOfPdf } from '../../../support/text-of-pdf.ts'

const figures = { anterior: '1.00', periodo: '2.00', acumulado: '3.00' }

/** The figures of a cover sheet with a number of chapters. */
function caratula (chapters: number, descripcion = ''): CaratulaFigures {
  return {
    estimate: 1,
    tipo: 'ordinaria',
    numero: 1,
    estado: 'autorizada',
    fecha: null,
    congelada: true,
    periodo_inicio: null,
    periodo_fin: null,
    descripcion,
    factura_uuid: null,
    company: 1,
    company_nombre: 'Obra Norte',
    contract: {
      id: 1,
      folio: 'OB-1',
      descripcion: 'Cimentación',
      contraparte: null,
      contraparte_rfc: null,
      moneda: 'MXN',
      fecha_inicio: null,
      fecha_fin: null,
      monto_original: '100.00',
      convenios: '0.00',
      monto: '100.00',
      sin_firma: '0.00'
    },
    porcentajes: { anticipo: '0.00', retencion: '0.00', iva: '16.00', derechos: '0.00' },
    importes: Object.fromEntries(amountNames.map(name => [name, figures])) as CaratulaFigures['importes'],
    movimientos: [],
    por_estimar: '97.00',
    anticipo: { importe: '0.00', amortizado: '0.00', por_amortizar: '0.00' },
    capitulos: Array.from({ length: chapters }, (_, n) => ({ capitulo: `Capítulo ${n}`, importe: '10.00', sin_firma: '0.00', ...figures, avance: '30.00' })),
    capitulos_total: { importe: '10.00', sin_firma: '0.00', ...figures, avance: '30.00' },
    avance: '3.00',
    avance_programado: null,
    avance_financiero: null,
    pagado: '0.00',
    por_pagar: '0.00'
  }
}

async function pages (figures: CaratulaFigures): Promise<string[]> {
  return await pagesOfPdf(Buffer.from(await draw({ report: 'caratula', language: 'es', figures })))
}

t.test('lines to sign on are on the page of the last chapter, whatever their number', async (t) => {
  const counts = new Set<number>()
  for (let chapters = 1; chapters <= 24; chapters++) {
    const texts = await pages(caratula(chapters))
    counts.add(texts.length)
    const last = texts.at(-1) ?? ''
    t.ok(last.includes('Formuló') && last.includes(`Capítulo ${chapters - 1} `) && last.includes('Capítulos'), `${chapters} chapters`)
  }
  t.strictSame([...counts], [1, 2], 'one of them begins a page')
})

t.test('without chapters, they are on the page of the sums', async (t) => {
  const counts = new Set<number>()
  for (let lines = 0; lines < 30; lines += 2) {
    const texts = await pages(caratula(0, 'línea\n'.repeat(lines)))
    counts.add(texts.length)
    t.match(texts.at(-1), /Saldo por estimar.*Formuló/, `${lines} lines`)
  }
  t.strictSame([...counts], [1, 2])
})

t.test('a text that is longer than a page continues on the next one', async (t) => {
  const texts = await pages(caratula(0, Array.from({ length: 200 }, (_, n) => `renglón ${n}.`).join('\n')))
  t.ok(texts.length > 3, `${texts.length} pages`)
  const all = texts.join(' ')
  for (let line = 0; line < 200; line++) t.ok(all.includes(`renglón ${line}.`))
})
