import type { Row } from '../../../database/connection/sql.ts'
import { dimensions, productOf } from '../../generadores/quantity.ts'
import { catalogue, programme, signed, waiting, type DemoConcepto, type DemoConvenio, type DemoPeriod } from './catalogue.ts'
import { draft, first, payment, second, type DemoEstimate, type DemoGenerador } from './estimates.ts'

/** A contract that gets works. It has a term. */
export interface Site {
  contract: number
  /** Factor of all unit prices. */
  prices: number
  /** Part of the first estimate that is paid. */
  paid: number
}

/** Runs a statement of a transaction. */
export type Execute = (sql: string, params?: unknown[]) => Promise<Row[]>

/** The start of the contract to which the days of the works belong. */
const start = '2026-01-12'

const siteRows = `
  select c.company_id, c.id, c.folio, c.fecha_inicio - date '${start}' as days, s.prices, s.paid
  from jsonb_to_recordset(?::jsonb) s (contract bigint, prices numeric, paid numeric) join contracts c on c.id = s.contract`

/**
 * Loads the same works into contracts, in the order in which people would enter them. Each step is one statement for all contracts.
 * Triggers check it and calculate all amounts.
 * @param run in a transaction that may write the companies of the contracts
 */
export async function loadWorks (run: Execute, sites: readonly Site[]): Promise<void> {
  const works = new Works(run, sites)
  await works.addConcepts(catalogue, 0)
  await works.addProgramme(programme, 0)
  await works.addEstimate(first)
  await works.pay()
  await works.addChangeOrder(signed)
  await works.addEstimate(second)
  await works.addChangeOrder(waiting)
  await works.addEstimate(draft)
}

/** The statements, for all contracts. */
class Works {
  readonly #run: (sql: string, params: unknown[]) => Promise<unknown>

  constructor (run: Execute, sites: readonly Site[]) {
    const given = JSON.stringify(sites)
    this.#run = async (sql, params) => await run(`with sites as (${siteRows}) ${sql}`, [given, ...params])
  }

  /** @param convenio number of a change order, or 0 for the original catalogue */
  async addConcepts (rows: readonly DemoConcepto[], convenio: number): Promise<void> {
    await this.#run(`
      insert into conceptos (company_id, contract_id, convenio_id, clave, capitulo, descripcion, unidad, cantidad, precio_unitario, alzado)
      select c.company_id, c.id, v.id, r.clave, r.capitulo, r.descripcion, r.unidad, r.cantidad, round(r.precio_unitario * c.prices, 2),
        coalesce(r.alzado, false)
      from sites c
      left join convenios v on v.company_id = c.company_id and v.contract_id = c.id and v.numero = ?
      cross join rows from (jsonb_to_recordset(?::jsonb) as (
        clave text, capitulo text, descripcion text, unidad text, cantidad numeric, precio_unitario numeric, alzado boolean)
      ) with ordinality r (clave, capitulo, descripcion, unidad, cantidad, precio_unitario, alzado, nth)
      order by c.id, r.nth`, [convenio, JSON.stringify(rows)])
  }

  /** Plans parts of the amount of the contract or, if `convenio` is not 0, of a change order. */
  async addProgramme (periods: readonly DemoPeriod[], convenio: number): Promise<void> {
    await this.#run(`
      insert into programa (company_id, contract_id, convenio_id, periodo_inicio, periodo_fin, importe)
      select c.company_id, c.id, v.id, r.periodo_inicio + c.days, r.periodo_fin + c.days,
        round(coalesce(v.monto, k.monto) * r."upTo", 2) - round(coalesce(v.monto, k.monto) * r.before, 2)
      from sites c
      join contracts k on k.company_id = c.company_id and k.id = c.id
      left join convenios v on v.company_id = c.company_id and v.contract_id = c.id and v.numero = ?
      cross join jsonb_to_recordset(?::jsonb) r (periodo_inicio date, periodo_fin date, before numeric, "upTo" numeric)
      order by c.id, r.periodo_inicio`, [convenio, JSON.stringify(periods)])
  }

  async addChangeOrder ({ numero, descripcion, dias, conceptos, period, estados }: DemoConvenio): Promise<void> {
    await this.#run(`
      insert into convenios (company_id, contract_id, folio, descripcion, dias)
      select c.company_id, c.id, c.folio || ?, ?, ? from sites c order by c.id`, [`-CM-${numero}`, descripcion, dias])
    await this.addConcepts(conceptos, numero)
    await this.addProgramme([period], numero)
    for (const { estado, fecha_autorizacion: ordered = null, fecha_firma: signed = null } of estados) {
      await this.#run(`
        update convenios v set estado = ?, fecha_autorizacion = coalesce(?::date + c.days, v.fecha_autorizacion),
          fecha_firma = coalesce(?::date + c.days, v.fecha_firma)
        from sites c where v.company_id = c.company_id and v.contract_id = c.id and v.numero = ?`, [estado, ordered, signed, numero])
    }
  }

  async addEstimate (
    { numero, descripcion, periodo_inicio: first, periodo_fin: last, generadores, movimientos, estados }: DemoEstimate
  ): Promise<void> {
    await this.#run(`
      insert into estimates (company_id, contract_id, descripcion, periodo_inicio, periodo_fin)
      select c.company_id, c.id, ?, ?::date + c.days, ?::date + c.days from sites c order by c.id`, [descripcion, first, last])
    await this.#run(`
      insert into generadores (
        company_id, contract_id, estimate_id, concepto_id, ubicacion, piezas, largo, ancho, alto, cantidad, observaciones)
      select c.company_id, c.id, e.id, k.id, r.ubicacion, r.piezas, r.largo, r.ancho, r.alto, r.cantidad, coalesce(r.observaciones, '')
      from sites c
      join estimates e on e.company_id = c.company_id and e.contract_id = c.id and e.numero = ?
      cross join rows from (jsonb_to_recordset(?::jsonb) as (
        clave text, convenio int, ubicacion text, piezas numeric, largo numeric, ancho numeric, alto numeric, cantidad numeric,
        observaciones text)
      ) with ordinality r (clave, convenio, ubicacion, piezas, largo, ancho, alto, cantidad, observaciones, nth)
      left join convenios v on v.company_id = c.company_id and v.contract_id = c.id and v.numero = r.convenio
      join conceptos k on k.company_id = c.company_id and k.contract_id = c.id and k.clave = r.clave
        and k.convenio_id is not distinct from v.id
      order by c.id, r.nth`, [numero, JSON.stringify(generadores.map(measured))])
    for (const { tipo, motivo, antes_iva: isBeforeTax, importe, porcentaje } of movimientos) {
      await this.#run(`
        insert into movimientos (company_id, contract_id, estimate_id, tipo, motivo, antes_iva, importe, porcentaje)
        select c.company_id, c.id, e.id, ?, ?, ?::boolean, ?::numeric, ?::numeric
        from sites c join estimates e on e.company_id = c.company_id and e.contract_id = c.id and e.numero = ?
        order by c.id`, [tipo, motivo, isBeforeTax, importe, porcentaje, numero])
    }
    for (const estado of estados) {
      await this.#run(`
        update estimates e set estado = ?
        from sites c where e.company_id = c.company_id and e.contract_id = c.id and e.numero = ?`, [estado, numero])
    }
  }

  async pay (): Promise<void> {
    const { numero, fecha, referencia } = payment
    await this.#run(`
      insert into pagos (company_id, contract_id, estimate_id, importe, fecha, referencia)
      select c.company_id, c.id, e.id, round(e.neto * c.paid, 2), ?::date + c.days, ?
      from sites c join estimates e on e.company_id = c.company_id and e.contract_id = c.id and e.numero = ?
      order by c.id`, [fecha, referencia, numero])
  }
}

/** A measurement with its quantity: that given, or the product of its dimensions. */
function measured (given: DemoGenerador): DemoGenerador {
  const factors = dimensions.map(name => given[name]).filter(factor => factor !== undefined)
  return { ...given, cantidad: given.cantidad ?? productOf(factors) }
}
