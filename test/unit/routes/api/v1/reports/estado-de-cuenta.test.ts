import t from 'tap'
import { paying } from '../../../../../support/paying.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { director, contract, estimate, paid, psql, as } = await paying(t)

const rows = (documents: Array<Record<string, unknown>>) => documents.map(({ tipo, numero, fecha, referencia, cargo, abono, saldo }) => [tipo, numero, fecha, referencia, cargo, abono, saldo])

t.test('documents in the order of their authorization, each with its payments and the balance', async (t) => {
  const id = await contract({ monto: '10000', anticipo_porcentaje: '10', retencion_porcentaje: '5', iva_porcentaje: '0' })
  const account = async () => succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`))
  const { folio } = succeeded(await director.get(`contracts/${id}/`))
  const none = { importe: '1000.00', amortizado: '0.00', por_amortizar: '1000.00' }
  t.strictSame(await account(), {
    company: 1,
    company_nombre: 'Obra Norte',
    contract: id,
    folio,
    descripcion: '',
    contraparte: null,
    contraparte_rfc: null,
    moneda: 'MXN',
    fecha_inicio: null,
    fecha_fin: null,
    monto_original: '10000.00',
    convenios: '0.00',
    monto: '10000.00',
    monto_estimado: '0.00',
    por_estimar: '10000.00',
    importes: {
      monto: '0.00',
      anticipo: '0.00',
      amortizacion: '0.00',
      retencion: '0.00',
      deductivas: '0.00',
      cargos_antes_iva: '0.00',
      subtotal: '0.00',
      iva: '0.00',
      derechos: '0.00',
      cargos_despues_iva: '0.00',
      neto: '0.00'
    },
    neto: '0.00',
    pagado: '0.00',
    saldo: '0.00',
    anticipo: none,
    retenido: [],
    documentos: []
  })
  const uuid = '7d0f3a52-1c39-4a55-9a84-2d1b6f0c9e11'
  const first = await estimate(id, { monto: '1000', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31', factura_uuid: uuid }, 'autorizada')
  const second = await estimate(id, { monto: '2000' }, 'autorizada')
  await estimate(id, { monto: '500' }, 'borrador')
  await paid(second['id'], '10.00', { fecha: '2026-03-01', referencia: 'SPEI 2' })
  await paid(first['id'], '855.00', { fecha: '2026-04-01', referencia: '=1+1' })
  await paid(second['id'], '700.00', { fecha: '2026-02-01' })

  const { documentos, ...sums } = await account()
  t.match(sums, {
    monto_estimado: '3000.00',
    por_estimar: '7000.00',
    importes: { monto: '3000.00', amortizacion: '300.00', retencion: '135.00', subtotal: '2565.00', iva: '0.00', neto: '2565.00' },
    neto: '2565.00',
    pagado: '1565.00',
    saldo: '1000.00',
    anticipo: { importe: '1000.00', amortizado: '300.00', por_amortizar: '700.00' },
    retenido: [{ tipo: 'fondo_garantia', antes_iva: true, importe: '135.00' }]
  })
  t.strictSame(rows(documentos), [
    ['ordinaria', 1, '2026-01-31', uuid, '855.00', null, '855.00'],
    ['pago', 1, '2026-04-01', '=1+1', null, '855.00', '0.00'],
    ['ordinaria', 2, null, '', '1710.00', null, '1710.00'],
    ['pago', 2, '2026-02-01', '', null, '700.00', '1010.00'],
    ['pago', 2, '2026-03-01', 'SPEI 2', null, '10.00', '1000.00']
  ])
  t.equal(documentos.at(-1).saldo, sums.saldo)
  const csv = (await director.get(`contracts/${id}/estado-de-cuenta/`, { accept: 'text/csv' })).body.trim().split('\r\n')
  t.strictSame([csv[0]?.replace('\ufeff', ''), csv.length, csv[2]], [
    'tipo,id,estimate,numero,fecha,referencia,cargo,abono,saldo', 6, `pago,${documentos[1].id},${first['id']},1,2026-04-01,'=1+1,,855.00,0.00`
  ])
})

t.test('movements that are not returned are retained', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0' })
  const first = await estimate(id, { monto: '1000' })
  for (const [tipo, importe] of [['pena', '50'], ['retencion', '30']]) {
    succeeded(await director.post('movimientos/', { estimate: first['id'], tipo, importe, antes_iva: false, motivo: 'Atraso' }))
  }
  const retained = async () => succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`)).retenido
  t.strictSame(await retained(), [], 'a draft takes nothing')
  for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${first['id']}/`, { estado }))
  t.strictSame(await retained(), [{ tipo: 'pena', antes_iva: false, importe: '50.00' }, { tipo: 'retencion', antes_iva: false, importe: '30.00' }])
})

t.test('a contract with more rows than a statement has is refused', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0' })
  const { id: document } = await estimate(id, { monto: '5000' }, 'autorizada')
  const pay = async (number: number) => await psql("insert into pagos (company_id, estimate_id, importe, fecha) select 1, $1, 0.01, '2026-01-01' from generate_series(1, $2)", [document, number])
  await pay(1999)
  t.equal(succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`)).documentos.length, 2000)
  await pay(1)
  for (const accept of ['application/json', 'text/csv', 'application/pdf']) {
    const { errors, codes } = (await director.get(`contracts/${id}/estado-de-cuenta/`, { accept })).json()
    t.match([errors, codes], [{ non_field_errors: [/more than 2000 authorized estimates and payments/] }, { non_field_errors: ['too_many_documents'] }])
  }
})

t.test('404 for a contract of another company, and for none', async (t) => {
  const id = await contract({ monto: '10000' })
  const other = await as('director@otra.example')
  for (const wanted of [id, 999_999]) {
    for (const accept of ['application/json', 'text/csv', 'application/pdf']) {
      t.equal((await other.get(`contracts/${wanted}/estado-de-cuenta/`, { accept })).statusCode, 404, accept)
    }
  }
})
