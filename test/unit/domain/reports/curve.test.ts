import t from 'tap'
import { drawCurve } from '../../../../src/domain/reports/avance/curve.ts'

const contract = { folio: 'A-1', moneda: 'USD', desde: '2026-01-01' }
const period = (hasta: string, programado: string, ejecutado: string) => (
  { ...contract, hit: true, hasta, programado, ejecutado, porcentaje_programado: programado, porcentaje_ejecutado: ejecutado })
const rows = [period('2026-01-31', '20.00', '15.00'), period('2026-02-28', '60.00', '46.00'), period('2026-03-31', '100.00', '46.00')]

t.test('the same rows have the same drawing, whatever was drawn before', async (t) => {
  const first = drawCurve(rows, 'en', 360)
  drawCurve(rows, 'es', 1200)
  t.equal(drawCurve(rows, 'en', 360), first)
})

t.test('the legend compares both on the last day with a change of what is executed', async (t) => {
  const drawing = drawCurve(rows, 'es', 360)
  for (const text of ['Programado 60.00 %', 'Ejecutado 46.00 %', 'USD · al 28 feb 2026', 'A-1']) t.ok(drawing.includes(text), text)
  t.ok(drawCurve(rows.slice(0, 0).concat(period('2026-03-31', '100.00', '0.00')), 'en', 360).includes('as of Mar 31, 2026'), 'nothing is executed')
})

t.test('percentages of a contract of 0.00 are left out, and an empty contract says so', async (t) => {
  const [row] = rows
  const drawing = drawCurve([{ ...row, porcentaje_programado: null, porcentaje_ejecutado: null }], 'en', 360)
  t.notMatch(drawing, /%<|null|NaN|undefined/)
  const empty = drawCurve([{ ...contract, desde: null, hit: null }], 'en', 360)
  t.match(empty, /Nothing planned or executed yet/)
  t.notMatch(empty, /NaN|undefined/)
})

t.test('names are escaped', async (t) => {
  const drawing = drawCurve(rows.map(row => ({ ...row, folio: '<script>"&\'' })), 'en', 360)
  t.notMatch(drawing, /<script/)
  t.match(drawing, /aria-label="Planned and executed: &lt;script&gt;&quot;&amp;'"/)
})
