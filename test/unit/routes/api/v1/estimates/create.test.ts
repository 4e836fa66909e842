import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

t.test('creating estimates', async (t) => {
  const { app, director, contract, estimate } = await estimating(t)

  await t.test('an estimate with only a contract has the defaults, and its Location works', async (t) => {
    const id = await contract({ folio: 'SOLO', anticipo_porcentaje: '30', retencion_porcentaje: '5' })
    const response = await director.post('estimates/', { contract: id })
    t.equal(response.statusCode, 201)
    t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
    const created = response.json()
    t.strictSame(created, {
      id: created.id,
      company: 1,
      contract: id,
      contract_folio: 'SOLO',
      tipo: 'ordinaria',
      numero: 1,
      periodo_inicio: null,
      periodo_fin: null,
      descripcion: '',
      monto: '0.00',
      lineas: 0,
      anticipo: '0.00',
      deductivas: '0.00',
      estado: 'borrador',
      motivo_rechazo: '',
      factura_uuid: null,
      anticipo_porcentaje: '30.00',
      retencion_porcentaje: '5.00',
      iva_porcentaje: '16.00',
      derechos_porcentaje: '0.00',
      retencion_antes_iva: true,
      amortizacion: '0.00',
      retencion: '0.00',
      cargos_antes_iva: '0.00',
      subtotal: '0.00',
      iva: '0.00',
      derechos: '0.00',
      cargos_despues_iva: '0.00',
      neto: '0.00',
      pagado: '0.00',
      por_pagar: '0.00',
      autorizada_en: null,
      avisos: [],
      monto_acumulado: '0.00',
      external_id: null,
      created_at: created.created_at,
      updated_at: created.updated_at,
      version: 1
    })
    for (const instant of [created.created_at, created.updated_at]) t.match(instant, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/)

    t.equal(response.headers.location, `http://localhost:80/api/v1/estimates/${created.id}/`)
    const fetched = await app.inject({ url: response.headers.location as string, headers: { authorization: `Bearer ${director.access}` } })
    t.equal(fetched.statusCode, 200)
    t.strictSame(fetched.json(), created)
    const { avisos, ...listed } = created
    t.strictSame((await director.get(`estimates/?contract=${id}`)).json().results, [listed], 'a list shows the same, without warnings')
  })

  await t.test('a suspended contract gets new estimates; a closed one does not, but its estimates can continue', async (t) => {
    const id = await contract()
    const first = await estimate(id, { monto: '1' }, 'enviada')
    await director.send('PATCH', `contracts/${id}/`, { estado: 'suspendido' })
    t.equal((await director.post('estimates/', { contract: id })).statusCode, 201)
    for (const estado of ['terminado', 'cancelado']) {
      const closed = estado === 'terminado' ? id : await contract({ estado })
      await director.send('PATCH', `contracts/${closed}/`, { estado })
      refuses(t, await director.post('estimates/', { contract: closed }), { contract: ['This contract is closed. A "terminado" contract accepts only a finiquito.'] })
      const spanish = await director.post('estimates/', { contract: closed }, { 'accept-language': 'es' })
      t.strictSame(spanish.json().errors, { contract: ['Este contrato está cerrado. Un contrato "terminado" solo admite un finiquito.'] })
    }
    t.equal((await director.send('PATCH', `estimates/${first['id']}/`, { estado: 'autorizada' })).statusCode, 200)
  })
})
