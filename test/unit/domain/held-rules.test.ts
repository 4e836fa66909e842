import { globSync } from 'node:fs'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import type { ConstraintMeaning } from '../../../src/resources/declaration/constraint.ts'
import { problemCodes } from '../../../src/http/problem-codes.ts'
import { resources } from '../../../src/domain/resources.ts'
import { agreeing, type Agreeing } from '../../support/agreeing.ts'
import { succeeded } from '../../support/succeeded.ts'
import { breaking, held, type Break, type BreaksOf } from './held-rules.ts'

/** A number that no other call has returned. */
let numbers = 0
const invoice = () => `00000000-0000-4000-8000-${String(++numbers).padStart(12, '0')}`
const tomorrow = () => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

/** What breaks each rule that a trigger holds. */
function breaks (server: Agreeing): Record<string, () => Promise<Break>> {
  const { director, contract, estimate, change, convenio } = server
  const make = async (resource: string, body: object): Promise<number> => succeeded(await director.post(`${resource}/`, body)).id
  const { edit, add } = breaking(director)
  const settled = async (fields: object = {}) => {
    const id = await contract({ ...fields })
    await estimate(id, { tipo: 'finiquito', monto: '10' }, 'autorizada')
    return id
  }
  const closed = async (estado: string) => {
    const id = await contract()
    succeeded(await director.send('PATCH', `contracts/${id}/`, { estado }))
    return id
  }
  /** A contract with a catalogue, and a draft that measures a concept of it. */
  const measured = async ({ cantidad = '10', made = '5', ...more }: Record<string, unknown> = {}) => {
    const id = await contract()
    const concepto = await make('conceptos', { contract: id, clave: 'A', unidad: 'm', cantidad, precio_unitario: '10', ...more })
    const { id: draft } = await estimate(id)
    if (made !== '0') await make('generadores', { estimate: draft, concepto, cantidad: made })
    return { id, concepto, draft: draft as number }
  }
  const sent = async (id: number) => succeeded(await director.send('PATCH', `estimates/${id}/`, { estado: 'enviada' }))
  /** An order with a row that a sent estimate measures. */
  const ordered = async (state: string) => {
    const { id, draft } = await measured()
    const { id: order } = await convenio(id, { dias: 0 })
    const row = await make('conceptos', { contract: id, convenio: order, clave: 'B', unidad: 'm', cantidad: '5', precio_unitario: '10' })
    if (state !== 'borrador') {
      succeeded(await director.send('PATCH', `convenios/${order}/`, { estado: 'enviado' }))
      succeeded(await director.send('PATCH', `convenios/${order}/`, { estado: 'autorizado', fecha_autorizacion: '2026-04-20' }))
    }
    await make('generadores', { estimate: draft, concepto: row, cantidad: '1' })
    await sent(draft)
    return { id, order, draft }
  }
  const settledFields = {
    monto: '2000.00',
    moneda: 'USD',
    fecha_inicio: '2026-01-02',
    fecha_fin: '2026-12-31',
    anticipo_porcentaje: '30.00',
    retencion_porcentaje: '1.00',
    iva_porcentaje: '8.00',
    derechos_porcentaje: '0.50',
    retencion_antes_iva: false
  }
  const signed = async () => {
    const id = await contract({ fecha_inicio: '2026-01-01', fecha_fin: '2026-12-31' })
    await convenio(id, { monto: '50', dias: 1 }, 'firmado')
    return id
  }
  return {
    ...Object.fromEntries(Object.entries(settledFields).map(([field, value]) => [`contracts_${field}_settled`, async () => edit('contracts', await settled({ fecha_inicio: '2026-01-01' }), { [field]: value })])),
    contracts_monto_agreed: async () => edit('contracts', await signed(), { monto: '2000' }),
    contracts_fecha_fin_agreed: async () => edit('contracts', await signed(), { fecha_fin: '2027-06-30' }),
    contracts_authorized: async () => {
      const id = await contract()
      await estimate(id, { monto: '500' }, 'autorizada')
      return edit('contracts', id, { monto: '499.99' })
    },
    contracts_currency: async () => {
      const id = await contract()
      await estimate(id)
      return edit('contracts', id, { moneda: 'USD' })
    },
    contracts_not_settled: async () => edit('contracts', await settled(), { estado: 'vigente' }),
    contracts_without_authorization: async () => {
      const id = await contract()
      await estimate(id, { monto: '1' }, 'autorizada')
      return edit('contracts', id, { estado: 'cancelado' })
    },
    contracts_transition: async () => edit('contracts', await closed('cancelado'), { estado: 'vigente' }),
    estimates_contract_open: async () => add('estimates', { contract: await closed('terminado') }),
    estimates_no_finiquito: async () => {
      const id = await contract()
      await estimate(id, { tipo: 'finiquito' })
      return add('estimates', { contract: id })
    },
    estimates_contract_not_settled: async () => {
      const id = await contract()
      const { id: rejected } = await estimate(id, { monto: '1' }, 'rechazada')
      await estimate(id, { tipo: 'finiquito' }, 'autorizada')
      return edit('estimates', rejected, { estado: 'borrador' })
    },
    estimates_pending: async () => {
      const id = await contract()
      await estimate(id)
      const { id: last } = await estimate(id, { tipo: 'finiquito' }, 'enviada')
      return edit('estimates', last, { estado: 'autorizada' })
    },
    estimates_no_work_check: async () => edit('estimates', (await estimate(await settled(), { tipo: 'finiquito' }))['id'], { monto: '1' }),
    estimates_contract_not_cancelled: async () => {
      const id = await contract()
      const { id: draft } = await estimate(id)
      succeeded(await director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' }))
      return edit('estimates', draft, { estado: 'enviada' })
    },
    estimates_last_authorized: async () => {
      const id = await contract()
      const [{ id: first }] = [await estimate(id, { monto: '1' }, 'autorizada'), await estimate(id, { monto: '1' }, 'autorizada')]
      return edit('estimates', first, { estado: 'enviada' })
    },
    estimates_unpaid: async () => {
      const { id: paid } = await estimate(await contract(), { monto: '100' }, 'autorizada')
      await make('pagos', { estimate: paid, importe: '1', fecha: '2026-04-15' })
      return edit('estimates', paid, { estado: 'enviada' })
    },
    estimates_factura_uuid_taken: async () => {
      const id = await contract()
      const uuid = invoice()
      await estimate(id, { factura_uuid: uuid })
      return add('estimates', { contract: id, factura_uuid: uuid })
    },
    estimates_sum_negative: async () => {
      const { id, concepto, draft } = await measured({ made: '5' })
      await sent(draft)
      await change(draft, { estado: 'autorizada' })
      const { id: next } = await estimate(id)
      await make('generadores', { estimate: next, concepto, cantidad: '-1' })
      return edit('estimates', next, { estado: 'enviada' })
    },
    estimates_quantity_negative: async () => {
      const { draft, id } = await measured({ made: '-1' })
      const other = await make('conceptos', { contract: id, clave: 'C', unidad: 'm', cantidad: '10', precio_unitario: '100' })
      await make('generadores', { estimate: draft, concepto: other, cantidad: '1' })
      await sent(draft)
      return edit('estimates', draft, { estado: 'autorizada' })
    },
    estimates_quantity_exceeded: async () => {
      const { id, draft } = await measured({ made: '11', alzado: true })
      await make('conceptos', { contract: id, clave: 'C', unidad: 'm', cantidad: '10', precio_unitario: '100' })
      await sent(draft)
      return edit('estimates', draft, { estado: 'autorizada' })
    },
    estimates_convenio_authorized: async () => edit('estimates', (await ordered('borrador')).draft, { estado: 'autorizada' }),
    estimates_returns: async () => {
      const id = await contract()
      const { id: first } = await estimate(id, { monto: '100' })
      await make('movimientos', { estimate: first, tipo: 'pena', sentido: 'cargo', motivo: 'Atraso', antes_iva: false, importe: '10' })
      for (const estado of ['enviada', 'autorizada']) await change(first, { estado })
      const drafts = [await estimate(id, { monto: '100' }), await estimate(id, { monto: '100' })]
      for (const { id: draft } of drafts) {
        await make('movimientos', { estimate: draft, tipo: 'pena', sentido: 'abono', motivo: 'Atraso', antes_iva: false, importe: '6' })
        await change(draft, { estado: 'enviada' })
      }
      await change(drafts[0]?.['id'], { estado: 'autorizada' })
      return edit('estimates', drafts[1]?.['id'], { estado: 'autorizada' })
    },
    estimates_fixed: async () => edit('estimates', (await estimate(await contract(), { monto: '1' }, 'enviada'))['id'], { deductivas: '0.50' }),
    estimates_transition: async () => edit('estimates', (await estimate(await contract()))['id'], { estado: 'autorizada' }),
    convenios_fecha_autorizacion_future: async () => edit('convenios', (await convenio(await contract()))['id'], { fecha_autorizacion: tomorrow() }),
    convenios_fecha_firma_future: async () => edit('convenios', (await convenio(await contract()))['id'], { fecha_firma: tomorrow() }),
    convenios_contract_open: async () => add('convenios', { contract: await closed('cancelado') }),
    convenios_contract_not_cancelled: async () => {
      const id = await contract()
      const { id: draft } = await convenio(id)
      succeeded(await director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' }))
      return edit('convenios', draft, { estado: 'enviado' })
    },
    convenios_contract_unsettled: async () => add('convenios', { contract: await settled() }),
    convenios_contract_not_settled: async () => {
      const id = await contract()
      const { id: draft } = await convenio(id)
      await estimate(id, { tipo: 'finiquito', monto: '10' }, 'autorizada')
      return edit('convenios', draft, { estado: 'enviado' })
    },
    convenios_extra_in_use: async () => {
      const { order, draft } = await ordered('autorizado')
      await change(draft, { estado: 'autorizada' })
      return edit('convenios', order, { estado: 'borrador' })
    },
    convenios_executed: async () => {
      const { id, draft } = await measured({ made: '9' })
      await sent(draft)
      const { id: order } = await convenio(id)
      await make('conceptos', { contract: id, convenio: order, clave: 'A', unidad: 'm', cantidad: '-2', precio_unitario: '10' })
      await make('conceptos', { contract: id, convenio: order, clave: 'Z', unidad: 'm', cantidad: '2', precio_unitario: '10' })
      await change(draft, { estado: 'autorizada' })
      for (const fields of [{ estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04' }]) succeeded(await director.send('PATCH', `convenios/${order}/`, fields))
      return edit('convenios', order, { estado: 'firmado' })
    },
    convenios_fixed: async () => edit('convenios', (await convenio(await contract(), { monto: '1' }, 'enviado'))['id'], { dias: 7 }),
    convenios_transition: async () => edit('convenios', (await convenio(await contract(), {}, 'cancelado'))['id'], { estado: 'borrador' }),
    conceptos_contract_unsettled: async () => {
      const id = await contract()
      await estimate(id, { tipo: 'finiquito' }, 'autorizada')
      return add('conceptos', { contract: id, clave: 'B', unidad: 'm', cantidad: '1', precio_unitario: '1' })
    },
    conceptos_reduction: async () => {
      const { id, draft } = await measured({ made: '0' })
      const { id: order } = await convenio(id)
      const row = await make('conceptos', { contract: id, convenio: order, clave: 'A', unidad: 'm', cantidad: '1', precio_unitario: '10' })
      await make('generadores', { estimate: draft, concepto: row, cantidad: '1' })
      return edit('conceptos', row, { cantidad: '-1' })
    },
    pagos_payable: async () => add('pagos', { estimate: (await estimate(await contract(), { monto: '1' }))['id'], importe: '1', fecha: '2026-04-15' }),
    pagos_due: async () => add('pagos', { estimate: (await estimate(await contract(), { monto: '1' }, 'autorizada'))['id'], importe: '900', fecha: '2026-04-15' }),
    pagos_fecha_future: async () => add('pagos', { estimate: (await estimate(await contract(), { monto: '1' }, 'autorizada'))['id'], importe: '1', fecha: tomorrow() })
  }
}

/** What the answer to the API has, of a meaning that the database's name has. */
function has (response: LightMyRequestResponse, meaning: ConstraintMeaning | undefined): boolean {
  const body = response.json()
  if (meaning === undefined) return false
  return 'conflict' in meaning ? response.statusCode === 409 : response.statusCode === 400 && body.codes?.[meaning.field]?.includes(problemCodes[meaning.key]) === true
}

t.test('the API and psql refuse each break of a rule that a trigger holds, with one meaning', async (t) => {
  const server = await agreeing(t)
  const others = globSync('*/breaks.ts', { cwd: import.meta.dirname })
  const known = breaks(server)
  for (const file of others) Object.assign(known, (await import(`./${file}`) as { breaks: BreaksOf }).breaks(server))
  t.strictSame(Object.keys(known).sort(), held(resources).map(({ name }) => name).sort(), 'each rule has a break, and no break lacks its rule')
  for (const { name, meaning } of held(resources)) {
    await t.test(name, async (t) => {
      const { http, psql: [text, values] } = await (known[name] as () => Promise<Break>)()
      const response = await http()
      t.ok(has(response, meaning), response.body)
      await t.rejects(server.psql(text, values), { code: '23514', constraint: name })
    })
  }
})
