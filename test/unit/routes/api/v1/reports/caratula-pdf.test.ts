import t from 'tap'
import { amountInWords } from '../../../../../../src/domain/reports/pdf/words.ts'
import { buildSites } from '../../../../../support/site.ts'
import { succeeded } from '../../../../../support/succeeded.ts'
import { textOfPdf } from '../../../../../support/text-of-pdf.ts'

const { newSite } = await buildSites(t)
const pdf = { accept: 'application/pdf' }

t.test('a cover sheet as PDF has the figures, in the language of the request', async (t) => {
  const site = await newSite([], { monto: '1000', retencion_porcentaje: '5', descripcion: 'Cimentación y ñandú', contraparte: 1 })
  const estimate = await site.estimate({ monto: '100', periodo_inicio: '2026-03-01', periodo_fin: '2026-03-31' })
  const sheet = async (language: string) => {
    const answer = await site.client.get(`estimates/${estimate}/caratula/`, { ...pdf, 'accept-language': language })
    t.match([answer.statusCode, answer.headers], [200, {
      'content-type': /^application\/pdf$/, 'content-disposition': `inline; filename="caratula-${estimate}.pdf"`, vary: /(^|,)Accept(,|$)/
    }])
    return await textOfPdf(answer.rawPayload)
  }
  const spanish = await sheet('es')
  for (const part of ['Obra Norte', 'Carátula de estimación No. 1', 'Cimentación y ñandú', '1 mar 2026 – 31 mar 2026', 'BORRADOR', '-5.00', '110.20', '(CIENTO DIEZ PESOS 20/100 M.N.)', 'IVA (16.00 %)', 'Saldo por estimar 900.00', 'Avance físico (por importe) 10.00 %', 'Formuló', 'Superintendente (contratista)', 'Residente de obra', 'Vo. Bo.', 'Página 1 de 1']) {
    t.ok(spanish.includes(part), part)
  }
  const english = await sheet('en')
  for (const part of ['Estimate cover sheet No. 1', 'Mar 1, 2026 – Mar 31, 2026', 'DRAFT', '(ONE HUNDRED TEN PESOS 20/100 MXN)', 'Value added tax (16.00 %)', 'Left to bill', 'Authorized by', 'Resident engineer', 'Page 1 of 1']) t.ok(english.includes(part), part)
  t.notOk(english.includes('Repayment of the advance'), 'amounts that are always zero are left out')
  await site.authorize(estimate)
  const authorized = await sheet('es')
  t.ok(authorized.includes('AUTORIZADA'))
  t.notOk(authorized.includes('BORRADOR'))
})

t.test('charges have their kinds and reasons, and what is authorized without a signature has its own line and column', async (t) => {
  const site = await newSite([['A', '10', '100', { capitulo: 'Uno' }]])
  const { client, contract } = site
  const estimate = await site.estimate()
  await site.measure(estimate, 'A', '4')
  succeeded(await client.post('movimientos/', { estimate, tipo: 'pena', motivo: 'Atraso de 12 días', antes_iva: false, importe: '6.20' }))
  const { id: convenio } = succeeded(await client.post('convenios/', { contract }))
  succeeded(await client.post('conceptos/', { contract, convenio, clave: 'B', unidad: 'm', cantidad: '5', precio_unitario: '10', capitulo: 'Dos' }))
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-02-01' }]) succeeded(await client.send('PATCH', `convenios/${convenio}/`, body))
  const text = await textOfPdf((await client.get(`estimates/${estimate}/caratula/`, { ...pdf, 'accept-language': 'es' })).rawPayload)
  for (const part of [
    'Pena convencional: Atraso de 12 días 0.00 -6.20 -6.20', 'Importe vigente 1,000.00', 'Autorizado sin firma 50.00', 'Vigente Sin firma Anterior',
    'Dos 0.00 50.00 0.00 0.00 0.00 —', 'Uno 1,000.00 0.00 0.00 400.00 400.00 40.00', 'Total 1,000.00 50.00 0.00 400.00 400.00 40.00'
  ]) t.ok(text.includes(part), part)
  t.notOk(text.includes('Cargos después de IVA'))
})

t.test('a settlement below zero says in whose favour it is', async (t) => {
  const site = await newSite([], { monto: '1000', anticipo_porcentaje: '50', iva_porcentaje: '0' })
  await site.authorize(await site.estimate({ tipo: 'anticipo', anticipo: '500' }))
  const estimate = await site.estimate({ tipo: 'finiquito', monto: '100' })
  const sheet = async (language: string) => await textOfPdf((await site.client.get(`estimates/${estimate}/caratula/`, { ...pdf, 'accept-language': language })).rawPayload)
  const spanish = await sheet('es')
  for (const part of ['Neto a favor del contratante', '(A FAVOR DEL CONTRATANTE: CUATROCIENTOS PESOS 00/100 M.N.)']) t.ok(spanish.includes(part), part)
  t.notOk(/MENOS|Neto a pagar/.test(spanish))
  const english = await sheet('en')
  for (const part of ['Net amount in favour of the client', '(IN FAVOUR OF THE CLIENT: FOUR HUNDRED PESOS 00/100 MXN)']) t.ok(english.includes(part), part)
})

t.test('chapters continue on further pages', async (t) => {
  const site = await newSite(Array.from({ length: 120 }, (_, n) => [`C-${n}`, '1', '10', { capitulo: `Capítulo ${n}` }]))
  const estimate = await site.estimate()
  const text = await textOfPdf((await site.client.get(`estimates/${estimate}/caratula/`, pdf)).rawPayload)
  for (const part of ['Capítulo 119 10.00', 'Total 1,200.00', 'Page 1 of 4', 'Page 4 of 4', '(ZERO PESOS 00/100 MXN)']) t.ok(text.includes(part), part)
})

t.test('more chapters than the thread has memory for are refused', async (t) => {
  const site = await newSite([], { monto: '1000' })
  const estimate = await site.estimate({ monto: '100' })
  const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => (
    { contract: site.contract, clave: `C-${from + n}`, unidad: 'm', cantidad: '1', precio_unitario: '1', capitulo: `${from + n}` }))
  const add = async (from: number, count: number) => t.equal((await site.client.post('conceptos/bulk/', { items: rows(from, count) })).statusCode, 201)
  const sheet = async () => await site.client.get(`estimates/${estimate}/caratula/`, pdf)
  await add(0, 1000)
  t.equal((await sheet()).statusCode, 200)
  await add(1000, 1)
  const refused = await sheet()
  t.equal(refused.statusCode, 400)
  t.match(refused.json(), { errors: { non_field_errors: [/more than 1000 chapters and movements/] }, codes: { non_field_errors: ['too_many_chapters'] } })
  t.equal((await site.client.get(`estimates/${estimate}/caratula/`)).json().capitulos.length, 1001)
})

t.test('the answer is cached, and has an ETag', async (t) => {
  const site = await newSite([], { monto: '1000' })
  const estimate = await site.estimate({ monto: '100' })
  const url = `estimates/${estimate}/caratula/`
  const first = await site.client.get(url, pdf)
  t.equal((await site.client.get(url, { ...pdf, 'if-none-match': String(first.headers.etag) })).statusCode, 304)
  t.strictSame((await site.client.get(url, pdf)).rawPayload, first.rawPayload)
  t.match((await site.client.get(url)).headers, { 'content-type': /json/ })
  t.match((await site.client.get(`${url}?format=json`, pdf)).headers, { 'content-type': /json/ })
  t.equal((await site.client.get('estimates/999999/caratula/', pdf)).statusCode, 404)
})

t.test('amounts in words', (t) => {
  const expected = {
    es: {
      '0.00': 'CERO PESOS 00/100 M.N.',
      1.01: 'UN PESO 01/100 M.N.',
      '16.00': 'DIECISÉIS PESOS 00/100 M.N.',
      '21.50': 'VEINTIÚN PESOS 50/100 M.N.',
      '31021.00': 'TREINTA Y UN MIL VEINTIÚN PESOS 00/100 M.N.',
      182392.77: 'CIENTO OCHENTA Y DOS MIL TRESCIENTOS NOVENTA Y DOS PESOS 77/100 M.N.',
      '1000000.00': 'UN MILLÓN DE PESOS 00/100 M.N.',
      '21000000.00': 'VEINTIÚN MILLONES DE PESOS 00/100 M.N.',
      '1000001.00': 'UN MILLÓN UN PESOS 00/100 M.N.',
      '-101.10': 'MENOS CIENTO UN PESOS 10/100 M.N.',
      999999999999.99: 'NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE MILLONES NOVECIENTOS NOVENTA Y NUEVE MIL NOVECIENTOS NOVENTA Y NUEVE PESOS 99/100 M.N.'
    },
    en: {
      0.05: 'ZERO PESOS 05/100 MXN',
      '1.00': 'ONE PESO 00/100 MXN',
      '21.00': 'TWENTY-ONE PESOS 00/100 MXN',
      182392.77: 'ONE HUNDRED EIGHTY-TWO THOUSAND THREE HUNDRED NINETY-TWO PESOS 77/100 MXN',
      '-2000000.00': 'MINUS TWO MILLION PESOS 00/100 MXN'
    }
  } as const
  for (const language of ['es', 'en'] as const) {
    for (const [amount, words] of Object.entries(expected[language])) t.equal(amountInWords(amount, 'MXN', language), words)
  }
  t.equal(amountInWords('1.00', 'USD', 'es'), 'UN DÓLAR 00/100 USD')
  t.equal(amountInWords('2.00', 'EUR', 'en'), 'TWO EUROS 00/100 EUR')
  t.equal(amountInWords('1000000000000.00', 'MXN', 'es'), undefined)
  t.end()
})
