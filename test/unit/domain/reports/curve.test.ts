import t from 'tap'
import { drawCurve } from '../../../../src/domain/reports/avance/curve.ts'

const contract = { folio: 'A-1', moneda: 'USD', desde: '2026-01-01' }
const period = (hasta: string, programado: string, ejecutado: string) => (
  { ...contract, hit: true, hasta, programado, ejecutado, porcentaje_programado: programado, porcentaje_ejecutado: ejecutado })
const rows = [period('2026-01-31', '20.00', '15.00'), period('2026-02-28', '60.00', '46.00'), period('2026-03-31', '100.00', '46.00')]

t.test('the same rows have the same drawing, whatever was drawn before', async (t) => {
  const first = drawCurve({ rows, width: 360 }, 'en')
  drawCurve({ rows, width: 1200 }, 'es')
  t.equal(drawCurve({ rows, width: 360 }, 'en'), first)
})

t.test('a folio that looks like an id of the drawing stays, and does not change the ids', async (t) => {
  const folio = 'zr0-x url(#zr1-c0) <b id="zr0-c0">'
  const escaped = 'zr0-x url(#zr1-c0) &lt;b id=&quot;zr0-c0&quot;&gt;'
  const drawing = drawCurve({ rows: rows.map(row => ({ ...row, folio })), width: 1200 }, 'en')
  t.ok(drawing.includes(`>${escaped}</text>`), 'the text')
  t.ok(drawing.includes(`aria-label="Planned and executed: ${escaped}"`), 'the name')
  t.notMatch(drawing.replaceAll(escaped, ''), /zr\d/)
  const ids = [...drawing.matchAll(/ id="(\w+)"/g)].map(([, id]) => id)
  const references = [...drawing.matchAll(/url\(#(\w+)\)"/g)].map(([, id]) => id)
  t.strictSame(ids, [...new Set(references)].sort(), 'every reference has its id')
  t.ok(ids.length > 0)
})

t.test('the legend compares both on the last day with a change of what is executed', async (t) => {
  const drawing = drawCurve({ rows, width: 360 }, 'es')
  for (const text of ['Programado 60.00 %', 'Ejecutado 46.00 %', 'USD · al 28 feb 2026', 'A-1']) t.ok(drawing.includes(text), text)
  t.ok(drawCurve({ rows: rows.slice(0, 0).concat(period('2026-03-31', '100.00', '0.00')), width: 360 }, 'en').includes('as of Mar 31, 2026'), 'nothing is executed')
})

t.test('percentages of a contract of 0.00 are left out, and an empty contract says so', async (t) => {
  const [row] = rows
  const drawing = drawCurve({ rows: [{ ...row, porcentaje_programado: null, porcentaje_ejecutado: null }], width: 360 }, 'en')
  t.notMatch(drawing, /%<|null|NaN|undefined/)
  const empty = drawCurve({ rows: [{ ...contract, desde: null, hit: null }], width: 360 }, 'en')
  t.match(empty, /Nothing planned or executed yet/)
  t.notMatch(empty, /NaN|undefined/)
})

t.test('names are escaped', async (t) => {
  const drawing = drawCurve({ rows: rows.map(row => ({ ...row, folio: '<script>"&\'' })), width: 360 }, 'en')
  t.notMatch(drawing, /<script/)
  t.match(drawing, /aria-label="Planned and executed: &lt;script&gt;&quot;&amp;'"/)
  const patterns = drawCurve({ rows: rows.map(row => ({ ...row, folio: "A$&B$'C$$" })), width: 360 }, 'en')
  t.ok(patterns.includes('aria-label="Planned and executed: A$&amp;B$\'C$$"'))
})
