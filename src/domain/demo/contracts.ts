import type { EntityManager } from '@mikro-orm/postgresql'
import { Contract, Contraparte, Convenio, Estimate, Movimiento } from '../entities/index.ts'
import { demoContrapartes, demoConvenios, demoEstimates, demoMovement, demoSite, demoTrades, demoWorks } from './data.ts'
import { loadWorks } from './works/load.ts'

async function loadContrapartes (em: EntityManager, company: number): Promise<number[]> {
  const created = demoContrapartes.map(party => em.create(Contraparte, { company, external_id: null, ...party }))
  await em.flush()
  return created.map(({ id }) => id)
}

interface DemoContract {
  folio: string
  descripcion: string
  monto: string
  contraparte: number
  parent: number | null
  anticipo_porcentaje?: string
  retencion_porcentaje?: string
}

const percentages = { anticipo_porcentaje: '10.00', retencion_porcentaje: '5.00' }

/** Loads six main contracts, each with three subcontracts of two parts: 60 contracts in three levels. One has the data of a site. */
export async function loadTree (em: EntityManager, company: number): Promise<void> {
  const parties = await loadContrapartes(em, company)
  const add = (values: DemoContract) =>
    em.create(Contract, { company, external_id: null, fecha_inicio: '2026-01-12', fecha_fin: '2027-06-30', ...values })
  let site = 0
  for (const [work, descripcion] of demoWorks.entries()) {
    const folio = `ON-2026-${String(work + 1).padStart(3, '0')}`
    const millions = 48 + work * 13
    const main = add({ folio, descripcion, monto: `${millions}500000.00`, contraparte: parties[work % 2], parent: null, ...percentages })
    await em.flush()
    if (work === 0) await loadEstimates(em, company, main.id)
    if (work === 1) await loadConvenios(em, company, main.id)
    for (const [trade, [name, parts]] of Object.entries(demoTrades).entries()) {
      const subFolio = `${folio}-${'ABC'[trade]}`
      const isSite = subFolio === demoSite.folio
      const sub = add({
        folio: subFolio,
        descripcion: `${name}: ${descripcion}`,
        // Its catalogue gives the amount.
        monto: isSite ? '0.00' : `${3 + trade * 2 + work}750000.00`,
        contraparte: parties[isSite ? demoSite.contraparte : 2 + (work + trade) % 8],
        parent: main.id,
        ...percentages
      })
      await em.flush()
      if (isSite) site = sub.id
      for (const [part, detail] of parts.entries()) {
        add({
          folio: `${folio}-${'ABC'[trade]}${part + 1}`,
          descripcion: `${detail}: ${descripcion}`,
          monto: `${875 + part * 150 + work * 10}320.50`,
          contraparte: parties[2 + (work + trade + part + 1) % 8],
          parent: sub.id
        })
      }
      await em.flush()
    }
  }
  await loadWorks(async (sql, params) => await em.execute(sql, params), [{ contract: site, ...demoSite.works }])
}

/** Loads 25 contracts without subcontracts. */
export async function loadRow (em: EntityManager, company: number): Promise<void> {
  const parties = await loadContrapartes(em, company)
  for (let number = 1; number <= 25; number++) {
    em.create(Contract, {
      company,
      folio: `OU-${String(number).padStart(4, '0')}`,
      descripcion: `${demoWorks[number % demoWorks.length]}, frente ${number}`,
      monto: `${number * 125}400.00`,
      contraparte: parties[number % parties.length],
      parent: null,
      fecha_inicio: '2026-02-02',
      fecha_fin: null,
      external_id: null
    })
  }
  await em.flush()
}

async function loadEstimates (em: EntityManager, company: number, contract: number): Promise<void> {
  for (const [month, estimate] of demoEstimates.entries()) {
    const day = (of: number, number: number) => new Date(Date.UTC(2026, of, number)).toISOString().slice(0, 10)
    const period = { periodo_inicio: day(month + 1, 1), periodo_fin: day(month + 2, 0) }
    // The database records a payment for the paid one.
    const id = await em.insert(Estimate, { company, contract, ...period, external_id: null, factura_uuid: null, ...estimate })
    if (estimate.estado !== 'borrador') continue
    await em.insert(Movimiento, { company, contract, estimate: id, external_id: null, porcentaje: null, ...demoMovement })
  }
}

async function loadConvenios (em: EntityManager, company: number, contract: number): Promise<void> {
  for (const convenio of demoConvenios) {
    await em.insert(Convenio, { company, contract, external_id: null, fecha_autorizacion: null, fecha_firma: null, ...convenio })
  }
}
