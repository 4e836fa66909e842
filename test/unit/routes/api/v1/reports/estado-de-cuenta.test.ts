import t from 'tap'
import { authorizedOn } from '../../../../../support/authorized-on.ts'
import { randomFrom } from '../../../../../support/trial/random.ts'
import { paying } from '../../../../../support/paying.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const { director, contract, estimate, paid, psql, as } = await paying(t)

const rows = (documents: Array<Record<string, unknown>>) => documents.map(({ tipo, numero, fecha, referencia, cargo, abono, saldo }) => [tipo, numero, fecha, referencia, cargo, abono, saldo])

t.test('documents on the day of their authorization, payments on their day, with the balance', async (t) => {
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
    sin_firma: '0.00',
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
    penas: '0.00',
    deducciones: '0.00',
    impuestos: '0.00',
    otros: '0.00',
    documentos: []
  })
  const uuid = '7d0f3a52-1c39-4a55-9a84-2d1b6f0c9e11'
  const first = await estimate(id, { monto: '1000', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31', factura_uuid: uuid }, 'autorizada')
  const second = await estimate(id, { monto: '2000' }, 'autorizada')
  await estimate(id, { monto: '500' }, 'borrador')
  await paid(second['id'], '10.00', { fecha: '2026-03-01', referencia: 'SPEI 2' })
  await paid(first['id'], '855.00', { fecha: '2026-04-01', referencia: '=1+1' })
  await paid(second['id'], '700.00', { fecha: '2026-02-01' })
  await authorizedOn(psql, first['id'], '2026-02-05')
  await authorizedOn(psql, second['id'], '2026-03-01')

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
    ['pago', 2, '2026-02-01', '', null, '700.00', '-700.00'],
    ['ordinaria', 1, '2026-02-05', uuid, '855.00', null, '155.00'],
    ['ordinaria', 2, '2026-03-01', '', '1710.00', null, '1865.00'],
    ['pago', 2, '2026-03-01', 'SPEI 2', null, '10.00', '1855.00'],
    ['pago', 1, '2026-04-01', '=1+1', null, '855.00', '1000.00']
  ])
  t.equal(documentos.at(-1).saldo, sums.saldo)
  const csv = (await director.get(`contracts/${id}/estado-de-cuenta/`, { accept: 'text/csv' })).body.trim().split('\r\n')
  t.strictSame([csv[0]?.replace('\ufeff', ''), csv.length, csv[2], csv[5]], [
    'tipo,id,estimate,numero,fecha,referencia,cargo,abono,saldo,retenido,penas,deducciones,impuestos,otros', 6,
    `ordinaria,${first['id']},${first['id']},1,2026-02-05,${uuid},855.00,,155.00,45.00,0.00,0.00,0.00,0.00`,
    `pago,${documentos[4].id},${first['id']},1,2026-04-01,'=1+1,,855.00,1000.00,,,,,`
  ])
})

t.test('the balance of each day is what was authorized minus what was paid up to it, for any order', async (t) => {
  const next = randomFrom(20261128)
  const random = (end: number) => Math.floor(next() * end)
  const dayOf = (n: number) => `2026-05-${String(n).padStart(2, '0')}`
  for (let times = 0; times < 4; times++) {
    const id = await contract({ monto: '10000', iva_porcentaje: '0' })
    const entries: Array<{ day: number, amount: number }> = []
    const known: Array<[id: number, day: number]> = []
    for (let n = 0; n < 4; n++) {
      const amount = 100 + random(50)
      const { id: document } = await estimate(id, { monto: String(amount) }, 'autorizada')
      const day = 1 + random(9)
      known.push([document, day])
      entries.push({ day, amount })
      for (let p = random(3); p > 0; p--) {
        const [part, on] = [1 + random(20), random(4) === 0 ? undefined : 1 + random(9)]
        // Only a migration leaves a payment without a day.
        const { id: payment } = await paid(document, String(part), { fecha: dayOf(on ?? 1) })
        if (on === undefined) await psql('update pagos set fecha = null where id = $1', [payment])
        entries.push({ day: on ?? day, amount: -part })
      }
    }
    for (const [document, day] of known) await authorizedOn(psql, document, dayOf(day))
    const { documentos } = succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`))
    t.equal(documentos.length, entries.length)
    let day = 0
    for (const [index, { tipo, fecha, estimate: of, saldo }] of documentos.entries()) {
      const before = documentos[index - 1]
      if (fecha === null) t.ok(before.estimate === of && (before.tipo !== 'pago' || before.fecha === null), 'a payment without a day follows its document')
      else {
        t.ok(Number(fecha.slice(-2)) >= day, 'in the order of time')
        if (tipo !== 'pago') t.notOk(Number(fecha.slice(-2)) === day && before?.tipo === 'pago' && before.fecha !== null, 'documents come first')
        day = Number(fecha.slice(-2))
      }
      const after = documentos[index + 1]
      if (after === undefined || (after.fecha !== null && after.fecha !== dayOf(day))) {
        t.equal(saldo, `${entries.filter(entry => entry.day <= day).reduce((sum, { amount }) => sum + amount, 0)}.00`, `balance of day ${day}`)
      }
    }
  }
})

t.test('the day of an authorization is that of the company', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0' })
  const document = await estimate(id, { monto: '100' }, 'autorizada')
  await authorizedOn(psql, document['id'], '2026-02-05')
  const root = await as('superusuario@demo.example')
  const dayIn = async (zone: string) => {
    succeeded(await root.send('PATCH', 'companies/1/', { zona_horaria: zone }))
    return succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`)).documentos[0].fecha
  }
  // 18:00 UTC
  t.equal(await dayIn('Asia/Tokyo'), '2026-02-06')
  t.equal(await dayIn('America/Mexico_City'), '2026-02-05')
})

t.test('a document whose day is not known stands at the end of its period', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0' })
  const first = await estimate(id, { monto: '100', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' }, 'autorizada')
  await paid(first['id'], '1.00', { fecha: '2026-01-31' })
  await paid(first['id'], '2.00', { fecha: '2026-01-30' })
  await authorizedOn(psql, first['id'], null)
  t.strictSame(rows(succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`)).documentos), [
    ['pago', 1, '2026-01-30', '', null, '2.00', '-2.00'],
    ['ordinaria', 1, null, '', '100.00', null, '98.00'],
    ['pago', 1, '2026-01-31', '', null, '1.00', '97.00']
  ])
})

t.test('retained money stands apart from penalties, deductions, taxes and other charges; returns lower them', async (t) => {
  const id = await contract({ monto: '10000', iva_porcentaje: '0', retencion_porcentaje: '5', derechos_porcentaje: '0.50' })
  const first = await estimate(id, { monto: '1000', deductivas: '7' })
  const move = async (estimate: unknown, tipo: string, importe: string, sentido = 'cargo') => (
    succeeded(await director.post('movimientos/', { estimate, tipo, importe, sentido, antes_iva: false, motivo: 'Atraso' })))
  for (const [tipo, importe] of [['pena', '50'], ['retencion', '30'], ['fondo_garantia', '11'], ['deductiva', '3'], ['impuesto', '2'], ['otro', '1']] as const) {
    await move(first['id'], tipo, importe)
  }
  const account = async () => {
    const { retenido, penas, deducciones, impuestos, otros, documentos } = succeeded(await director.get(`contracts/${id}/estado-de-cuenta/`))
    const ofDocuments = (name: string) => documentos.map((row: Record<string, string | null>) => row[name])
    return { retenido, sums: [penas, deducciones, impuestos, otros], documents: ['retenido', 'penas', 'deducciones', 'impuestos', 'otros'].map(ofDocuments) }
  }
  t.strictSame(await account(), { retenido: [], sums: ['0.00', '0.00', '0.00', '0.00'], documents: [[], [], [], [], []] }, 'a draft takes nothing')
  for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${first['id']}/`, { estado }))
  const held = [
    { tipo: 'fondo_garantia', antes_iva: false, importe: '11.00' }, { tipo: 'fondo_garantia', antes_iva: true, importe: '50.00' }, { tipo: 'retencion', antes_iva: false, importe: '30.00' }
  ]
  t.strictSame(await account(), {
    retenido: held, sums: ['50.00', '10.00', '7.00', '1.00'], documents: [['91.00'], ['50.00'], ['10.00'], ['7.00'], ['1.00']]
  })
  const second = await estimate(id, { monto: '1000' })
  await move(second['id'], 'pena', '20', 'abono')
  await move(second['id'], 'retencion', '30', 'abono')
  for (const estado of ['enviada', 'autorizada']) succeeded(await director.send('PATCH', `estimates/${second['id']}/`, { estado }))
  await paid(second['id'], '1.00')
  t.strictSame(await account(), {
    retenido: [held[0], { ...held[1], importe: '100.00' }],
    sums: ['30.00', '10.00', '12.00', '1.00'],
    documents: [[null, '91.00', '20.00'], [null, '50.00', '-20.00'], [null, '10.00', '0.00'], [null, '7.00', '5.00'], [null, '1.00', '0.00']]
  })
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
