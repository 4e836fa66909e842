import t from 'tap'
import { authorizedOn } from '../../../../../support/authorized-on.ts'
import { paying } from '../../../../../support/paying.ts'
import { succeeded } from '../../../../../support/succeeded.ts'
import { pagesOfPdf, textOfPdf } from '../../../../../support/text-of-pdf.ts'

const { director, contract, estimate, paid, psql } = await paying(t)
const pdf = { accept: 'application/pdf' }

const pages = async (id: number, language = 'es') => (await director.get(`contracts/${id}/estado-de-cuenta/`, { ...pdf, 'accept-language': language })).rawPayload

t.test('a statement of account as PDF has the figures, in the language of the request', async (t) => {
  const { id: contraparte } = succeeded(await director.post('contrapartes/', { nombre: 'Constructora Ñandú', rfc: 'XAXX010101000' }))
  const id = await contract({
    monto: '10000', descripcion: 'Cimentación', contraparte, anticipo_porcentaje: '10', retencion_porcentaje: '5', fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31'
  })
  const first = await estimate(id, { monto: '1000', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' }, 'autorizada')
  const second = await estimate(id, { monto: '3000' })
  for (const [tipo, importe] of [['pena', '50'], ['impuesto', '2']]) {
    succeeded(await director.post('movimientos/', { estimate: second['id'], tipo, importe, antes_iva: false, motivo: 'Atraso' }))
  }
  for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${second['id']}/`, { estado }))
  await paid(first['id'], '91.80', { fecha: '2026-04-01', referencia: 'SPEI 0417' })
  await authorizedOn(psql, first['id'], '2026-02-03')
  await authorizedOn(psql, second['id'], '2026-04-02')
  const { statusCode, headers, rawPayload } = await director.get(`contracts/${id}/estado-de-cuenta/`, { ...pdf, 'accept-language': 'es' })
  t.match([statusCode, headers], [200, {
    'content-type': /^application\/pdf$/,
    'content-disposition': `inline; filename="estado-de-cuenta-${id}.pdf"`,
    'content-language': 'es',
    vary: /(^|,)Accept(,|$)/
  }])
  const spanish = await textOfPdf(rawPayload)
  for (const part of [
    'Obra Norte', 'Estado de cuenta', 'Cimentación', 'Constructora Ñandú · RFC XAXX010101000', '1 ene 2026 – 31 dic 2026', 'Importe vigente 10,000.00',
    'Estimado acumulado 4,000.00', 'Saldo por estimar 6,000.00', 'Por amortizar 600.00', 'Amortización del anticipo -400.00', 'Fondo de garantía -180.00', 'IVA 547.20',
    'Neto 3,915.20', 'Pagado -91.80', 'Saldo a favor del contratista 3,823.40', 'Retenido y no devuelto', 'Fondo de garantía, antes de IVA 180.00',
    'Penas, deducciones e impuestos', 'Penas convencionales 50.00', 'Impuestos y derechos 2.00',
    'Estimación No. 1 3 feb 2026 991.80 991.80', 'Pago de Estimación No. 1 1 abr 2026 SPEI 0417 91.80 900.00', 'Estimación No. 2 2 abr 2026 2,923.40 3,823.40', 'Total 3,915.20 91.80 3,823.40', 'Página 1 de 1'
  ]) t.ok(spanish.includes(part), part)
  const english = await textOfPdf(await pages(id, 'en'))
  for (const part of [
    'Statement of account', 'Jan 1, 2026 – Dec 31, 2026', 'Balance in favour of the contractor 3,823.40', 'Guarantee fund, before tax 180.00', 'Taxes and fees 2.00', 'Estimate No. 1', 'Payment of Estimate No. 1 Apr 1, 2026', 'Page 1 of 1'
  ]) t.ok(english.includes(part), part)
})

t.test('the other party can owe, and a contract without estimates says so', async (t) => {
  const id = await contract({ monto: '10000' })
  const empty = await textOfPdf(await pages(id))
  for (const part of ['Saldo 0.00', 'Sin estimaciones autorizadas']) t.ok(empty.includes(part), part)
  t.notOk(empty.includes('Retenido'))
  const settled = await contract({ monto: '1000', anticipo_porcentaje: '50', iva_porcentaje: '0' })
  const advance = await estimate(settled, { tipo: 'anticipo', anticipo: '500' }, 'autorizada')
  await paid(advance['id'], '500.00')
  await estimate(settled, { tipo: 'finiquito', monto: '100' }, 'autorizada')
  const text = await textOfPdf(await pages(settled))
  for (const part of ['Anticipo No. 1', 'Finiquito No. 1', 'Saldo a favor del contratante 400.00', 'Total 100.00 500.00 -400.00']) t.ok(text.includes(part), part)
})

t.test('each page has the head of the table and its number', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0' })
  const { id: document } = await estimate(id, { monto: '5000' }, 'autorizada')
  await psql("insert into pagos (company_id, estimate_id, importe, fecha) select 1, $1, 0.01, '2026-01-01' from generate_series(1, 399)", [document])
  const texts = await pagesOfPdf(await pages(id))
  t.ok(texts.length > 5, `${texts.length} pages`)
  for (const [index, text] of texts.entries()) {
    for (const part of ['Estimaciones y pagos Documento Fecha Referencia Neto Pago Saldo', `Página ${index + 1} de ${texts.length}`]) t.ok(text.includes(part), part)
  }
  t.match(texts.at(-1), /Total 5,000\.00 3\.99 4,996\.01/)
})

t.test('long words stay on the page', async (t) => {
  const id = await contract({ folio: 'F'.repeat(64), monto: '10000', iva_porcentaje: '0' })
  const document = await estimate(id, { monto: '100' }, 'autorizada')
  await paid(document['id'], '1.00', { referencia: 'R'.repeat(100) })
  const [text = ''] = await pagesOfPdf(await pages(id))
  t.match(text, /(?:F{1,40} ){2}/)
  t.notMatch(text, /F{41}/)
  t.match(text, /Pago de Estimación No\. 1 15 abr 2026 (?:R{1,40} ){3,}1\.00 -1\.00/)
})

t.test('the answer is cached, and has an ETag', async (t) => {
  const id = await contract({ monto: '10000' })
  const url = `contracts/${id}/estado-de-cuenta/`
  const first = await director.get(url, pdf)
  t.equal((await director.get(url, { ...pdf, 'if-none-match': String(first.headers.etag) })).statusCode, 304)
  t.strictSame((await director.get(url, pdf)).rawPayload, first.rawPayload)
  t.equal((await director.get(url, { ...pdf, 'accept-language': 'es', 'if-none-match': String(first.headers.etag) })).statusCode, 200, 'the ETag is that of a language')
  await estimate(id, { monto: '1' }, 'autorizada')
  t.equal((await director.get(url, { ...pdf, 'if-none-match': String(first.headers.etag) })).statusCode, 200, 'a write changes it')
})
