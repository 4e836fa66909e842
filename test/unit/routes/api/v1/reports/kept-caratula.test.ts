import { randomUUID } from 'node:crypto'
import t from 'tap'
import { buildSites, type Site } from '../../../../../support/site.ts'
import { succeeded } from '../../../../../support/succeeded.ts'
import { textOfPdf } from '../../../../../support/text-of-pdf.ts'

const { server, newSite } = await buildSites(t)
const { as, psql } = server
const root = await as('superusuario@demo.example')

const caratula = async ({ client }: Site, estimate: number) => succeeded(await client.get(`estimates/${estimate}/caratula/`))

/** The sheet as PDF. A busy machine can refuse a drawing, which then waits. */
async function sheet ({ client }: Site, estimate: number): Promise<string> {
  while (true) {
    const { statusCode, rawPayload } = await client.get(`estimates/${estimate}/caratula/`, { accept: 'application/pdf', 'accept-language': 'es' })
    if (statusCode === 200) return await textOfPdf(rawPayload)
    if (statusCode !== 503) throw new Error(`status ${statusCode}`)
  }
}

/** A contract with a catalogue in two chapters, and an estimate of it with a penalty that is sent. */
async function sent (): Promise<{ site: Site, estimate: number }> {
  const site = await newSite([['A', '10', '100', { capitulo: 'Uno' }], ['B', '5', '40', { capitulo: 'Dos' }]], {
    anticipo_porcentaje: '10', descripcion: 'Nave', contraparte: 1, fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31'
  })
  const estimate = await site.estimate({ descripcion: 'Enero', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })
  await site.measure(estimate, 'A', '4')
  succeeded(await site.client.post('movimientos/', { estimate, tipo: 'pena', motivo: 'Atraso', antes_iva: false, porcentaje: '1' }))
  succeeded(await site.patch(estimate, { estado: 'enviada' }))
  return { site, estimate }
}

/** Changes everything that a sheet shows and that stays writable. */
async function changeAll ({ client, contract, conceptos }: Site, estimate: number): Promise<void> {
  const { id: convenio } = succeeded(await client.post('convenios/', { contract, dias: 30 }))
  succeeded(await client.post('conceptos/', { contract, convenio, clave: 'C', unidad: 'm', cantidad: '7', precio_unitario: '9', capitulo: 'Tres' }))
  for (const body of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-02-01' }, { estado: 'firmado', fecha_firma: '2026-02-02' }]) {
    succeeded(await client.send('PATCH', `convenios/${convenio as number}/`, body))
  }
  const { id: contraparte } = succeeded(await client.post('contrapartes/', { nombre: `Otra ${contract}`, rfc: 'XAXX010101000' }))
  succeeded(await client.send('PATCH', `contracts/${contract}/`, { folio: `OTRO-${contract}`, descripcion: 'Otra', contraparte, anticipo_porcentaje: '20' }))
  succeeded(await client.send('PATCH', `conceptos/${conceptos['A'] as number}/`, { capitulo: 'Cuatro' }))
  succeeded(await client.send('PATCH', `estimates/${estimate}/`, { descripcion: 'Otra' }))
  succeeded(await root.send('PATCH', 'companies/1/', { nombre: `Otra ${contract}` }))
}

t.test('the sheet of an authorized estimate never changes, in whatever way it was authorized', async (t) => {
  const ways: Record<string, (site: Site, estimate: number) => Promise<unknown>> = {
    patch: async (site, estimate) => succeeded(await site.patch(estimate, { estado: 'autorizada' })),
    bulk: async ({ client, contract }, id) => {
      succeeded(await client.send('PATCH', `estimates/${id}/`, { external_id: `E-${id}` }))
      succeeded(await client.post('estimates/bulk/', { upsert: 'external_id', items: [{ external_id: `E-${id}`, contract, estado: 'autorizada' }] }))
    },
    mutation: async ({ client }, id) => succeeded(await client.post('mutations/', {
      device: randomUUID(), mutations: [{ id: 1, op: 'update', resource: 'estimates', record: id, body: { estado: 'autorizada' } }]
    })),
    psql: async (_, id) => await psql("update estimates set estado = 'autorizada' where id = $1", [id])
  }
  for (const [way, authorize] of Object.entries(ways)) {
    const { site, estimate } = await sent()
    const draft = await caratula(site, estimate)
    await authorize(site, estimate)
    const signed = await caratula(site, estimate)
    t.match(signed, { estado: 'autorizada', congelada: true }, way)
    t.strictSame({ ...signed, fecha: null }, { ...draft, estado: 'autorizada', congelada: true, por_pagar: signed.importes.neto.periodo }, `${way}: as before`)
    const text = await sheet(site, estimate)
    await changeAll(site, estimate)
    t.strictSame(await caratula(site, estimate), signed, way)
    t.equal(await sheet(site, estimate), text, `${way}: the PDF`)
  }
})

t.test('payments and the invoice are the present ones in JSON, and not on the PDF', async (t) => {
  const { site, estimate } = await sent()
  succeeded(await site.patch(estimate, { estado: 'autorizada' }))
  const signed = await caratula(site, estimate)
  const text = await sheet(site, estimate)
  const { neto } = succeeded(await site.client.get(`estimates/${estimate}/`))
  const rest = '0.01'
  const most = (Number(neto) - 0.01).toFixed(2)
  succeeded(await site.client.post('pagos/', { estimate, importe: most, fecha: '2026-03-01' }))
  // round(400.00 × most ÷ neto) of 1,200.00
  t.strictSame(await caratula(site, estimate), { ...signed, pagado: most, por_pagar: rest, avance_financiero: '33.33' })
  succeeded(await site.client.post('pagos/', { estimate, importe: rest, fecha: '2026-03-02' }))
  const uuid = '7d0f3a52-1c39-4a55-9a84-2d1b6f0c9e11'
  succeeded(await site.patch(estimate, { factura_uuid: uuid }))
  t.strictSame(await caratula(site, estimate), { ...signed, estado: 'pagada', pagado: neto, por_pagar: '0.00', avance_financiero: '33.33', factura_uuid: uuid })
  t.equal(await sheet(site, estimate), text)
})

t.test('undoing the authorization discards the sheet, and the next authorization keeps a new one', async (t) => {
  const { site, estimate } = await sent()
  succeeded(await site.patch(estimate, { estado: 'autorizada' }))
  const undo = async () => succeeded(await site.patch(estimate, { estado: 'enviada' }))
  t.match(await undo(), { autorizada_en: null })
  await changeAll(site, estimate)
  const draft = await caratula(site, estimate)
  t.match(draft, { congelada: false, fecha: null, contract: { descripcion: 'Otra', monto: '1263.00' } })
  t.strictSame(await psql('select from caratulas where estimate_id = $1', [estimate]), [])
  succeeded(await site.patch(estimate, { estado: 'autorizada' }))
  t.match(await caratula(site, estimate), { congelada: true, contract: { descripcion: 'Otra', monto: '1263.00' }, anticipo: draft.anticipo })
})

t.test('an estimate without a kept sheet shows the present state, and says so', async (t) => {
  const { site, estimate } = await sent()
  succeeded(await site.patch(estimate, { estado: 'autorizada' }))
  await psql('delete from caratulas where estimate_id = $1', [estimate])
  succeeded(await site.client.send('PATCH', `contracts/${site.contract}/`, { descripcion: 'Otra' }))
  t.match(await caratula(site, estimate), { congelada: false, contract: { descripcion: 'Otra' } })
})

t.test('estimates that one statement authorizes keep what was authorized before each of them', async (t) => {
  const site = await newSite([], { monto: '1000', anticipo_porcentaje: '30' })
  const estimates = [await site.estimate({ tipo: 'anticipo', anticipo: '200' }), await site.estimate({ monto: '100' }), await site.estimate({ monto: '50' })]
  for (const estimate of estimates) succeeded(await site.patch(estimate, { estado: 'enviada' }))
  await psql(`
    update estimates e set estado = 'autorizada' from (select id from estimates where contract_id = $1 order by id offset 0) o
    where e.id between o.id and o.id`, [site.contract])
  const kept = await Promise.all(estimates.map(async (estimate) => {
    const { congelada, importes: { monto }, anticipo, por_estimar: left } = await caratula(site, estimate)
    return [congelada, monto.anterior, monto.acumulado, left, ...Object.values(anticipo)]
  }))
  t.strictSame(kept, [
    [true, '0.00', '0.00', '1000.00', '200.00', '0.00', '200.00'],
    [true, '0.00', '100.00', '900.00', '200.00', '30.00', '170.00'],
    [true, '100.00', '150.00', '850.00', '200.00', '45.00', '155.00']
  ])
})

t.test('the authorization has a time, which nobody can give or change', async (t) => {
  const { site, estimate } = await sent()
  t.equal((await site.read(estimate))['autorizada_en'], null)
  const given = '2020-01-01T00:00:00.000000Z'
  t.match(await site.patch(estimate, { estado: 'autorizada', autorizada_en: given }), { statusCode: 200 })
  const { autorizada_en: time, updated_at: changed } = await site.read(estimate)
  t.match(time, /^20\d\d-.*Z$/)
  t.not(time, given)
  t.ok(Math.abs(Date.parse(time) - Date.parse(changed)) < 60_000, 'that of the change')
  await psql('update estimates set autorizada_en = $2 where id = $1', [estimate, given])
  t.equal((await site.read(estimate))['autorizada_en'], time)
  succeeded(await site.client.post('pagos/', { estimate, importe: '1', fecha: '2026-03-01' }))
  t.equal((await site.read(estimate))['autorizada_en'], time, 'a payment changes nothing')
})
