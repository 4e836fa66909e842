import type { Id, Store } from 'obra/client/sync'
import type { Tried } from './ledger.ts'

type Body = Record<string, unknown>

/** What a user does. Records are numbers: the first one that the user creates is 0. References in bodies are numbers too. */
export interface Step {
  op: 'create' | 'update' | 'delete'
  resource: Kind
  record: number
  body: Body
}

/** Resources of the steps. */
export type Kind = Tried | 'convenios' | 'conceptos' | 'generadores' | 'movimientos' | 'pagos'

/** Fields of bodies that refer to other records, with their resources. */
export const references: Record<string, Kind> = {
  parent: 'contracts', contract: 'contracts', contraparte: 'contrapartes', convenio: 'convenios', estimate: 'estimates', concepto: 'conceptos'
}
const identities: Partial<Record<string, true>> = { folio: true, nombre: true, external_id: true }

/** The body of a step with ids for numbers, and names that no other run has. Undefined if it names a record that does not exist. */
function bodyOf ({ body }: Step, prefix: string, ids: Array<Id | undefined>): Body | undefined {
  const values = Object.entries(body).map(([field, value]) => {
    if (field in references && typeof value === 'number') return [field, ids[value]]
    return [field, identities[field] === true ? `${prefix}${String(value)}` : value]
  })
  return values.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(values)
}

/** The steps with each number as that of a record of the right kind, created before; -1 without one. A concept is one of the estimate's contract. */
export function numbered (all: readonly Step[]): Step[] {
  const created: Array<{ resource: Kind, contract: unknown }> = []
  const numberOf = (resource: Kind, wanted: number, contract?: unknown) => {
    const numbers = created.flatMap((one, number) => one.resource === resource && (contract === undefined || one.contract === contract) ? [number] : [])
    return numbers[wanted % Math.max(1, numbers.length)] ?? -1
  }
  return all.map((one): Step => {
    const body: Body = { ...one.body }
    for (const [field, resource] of Object.entries(references)) {
      const parent = field === 'concepto' ? created[body['estimate'] as number]?.contract : field === 'convenio' ? body['contract'] : undefined
      if (typeof body[field] === 'number') body[field] = numberOf(resource, body[field], parent)
    }
    const isNew = one.op === 'create'
    return { ...one, body, record: isNew ? created.push({ resource: one.resource, contract: body['contract'] }) - 1 : numberOf(one.resource, one.record) }
  })
}

/** Sends a request as a user with a connection. @returns status and id of the record */
export type Send = (method: string, path: string, body?: Body) => Promise<{ status: number, id?: number }>

/** Takes the steps one by one with a connection. @returns the steps that the service accepted */
export async function online (send: Send, prefix: string, steps: readonly Step[]): Promise<Step[]> {
  const ids: Array<number | undefined> = []
  const taken: Step[] = []
  for (const step of steps) {
    const body = bodyOf(step, prefix, ids)
    const id = ids[step.record]
    const path = `/api/v1/${step.resource}/`
    const isPossible = body !== undefined && (step.op === 'create' || id !== undefined)
    const answer = !isPossible ? { status: 0 } : step.op === 'create' ? await send('POST', path, body) : await send(step.op === 'update' ? 'PATCH' : 'DELETE', `${path}${id}/`, step.op === 'update' ? body : undefined)
    const isTaken = answer.status >= 200 && answer.status < 300
    if (isTaken) taken.push(step)
    if (step.op === 'create') ids[step.record] = isTaken ? answer.id : undefined
    if (step.op === 'delete' && isTaken) ids[step.record] = undefined
  }
  return taken
}

/** Takes the steps in a store. @param between runs before each step */
export async function offline (storeOf: () => Store, prefix: string, steps: readonly Step[], between: (index: number) => Promise<void>): Promise<void> {
  const ids: Array<Id | undefined> = []
  for (const [index, step] of steps.entries()) {
    await between(index)
    const records = storeOf()[step.resource]
    const body = bodyOf(step, prefix, ids) as never
    const id = ids[step.record] as Id
    if (step.op === 'create') ids[step.record] = (await records.create(body)).id
    else if (step.op === 'update') await records.update(id, body)
    else await records.remove(id)
  }
}

/** The records of a run, without ids, versions and times. */
export async function recordsOf (psql: (text: string, values: unknown[]) => Promise<object[]>, prefix: string): Promise<unknown> {
  const like = `${prefix}%`
  const cut = prefix.length + 1
  return {
    contrapartes: await psql('select substr(nombre, $2::int) as nombre, notas from contrapartes where nombre like $1 order by nombre', [like, cut]),
    contracts: await psql(`select substr(c.folio, $2::int) as folio, c.monto, c.estado, c.descripcion, c.fecha_inicio, c.fecha_fin, c.anticipo_porcentaje, substr(m.folio, $2::int) as parent, substr(p.nombre, $2::int) as contraparte
      from contracts c left join contracts m on m.company_id = c.company_id and m.id = c.parent_id left join contrapartes p on p.company_id = c.company_id and p.id = c.contraparte_id
      where c.folio like $1 order by c.folio`, [like, cut]),
    estimates: await psql(`select substr(c.folio, $2::int) as contract, e.numero, e.monto, e.deductivas, e.estado, e.descripcion, e.motivo_rechazo, e.periodo_inicio, e.periodo_fin, e.anticipo_porcentaje, e.neto
      from estimates e join contracts c on c.company_id = e.company_id and c.id = e.contract_id where c.folio like $1 order by c.folio, e.numero`, [like, cut]),
    convenios: await psql(`select substr(c.folio, $2::int) as contract, o.numero, o.monto, o.descripcion
      from convenios o join contracts c on c.id = o.contract_id where c.folio like $1 order by c.folio, o.numero`, [like, cut]),
    conceptos: await psql(`select substr(c.folio, $2::int) as contract, o.numero, k.clave, k.cantidad, k.precio_unitario, k.descripcion
      from conceptos k join contracts c on c.id = k.contract_id left join convenios o on o.id = k.convenio_id where c.folio like $1 order by c.folio, o.numero, k.clave`, [like, cut]),
    generadores: await psql(`select substr(c.folio, $2::int) as contract, e.numero, k.clave, g.cantidad, g.largo, g.observaciones
      from generadores g join contracts c on c.id = g.contract_id join estimates e on e.id = g.estimate_id join conceptos k on k.id = g.concepto_id
      where c.folio like $1 order by c.folio, e.numero, k.clave, g.cantidad, g.largo, g.observaciones`, [like, cut]),
    movimientos: await psql(`select substr(c.folio, $2::int) as contract, e.numero, m.antes_iva, m.importe, m.motivo
      from movimientos m join contracts c on c.id = m.contract_id join estimates e on e.id = m.estimate_id where c.folio like $1 order by c.folio, e.numero, m.antes_iva, m.importe, m.motivo`, [like, cut]),
    pagos: await psql(`select substr(c.folio, $2::int) as contract, e.numero, p.importe, p.fecha, p.referencia
      from pagos p join contracts c on c.id = p.contract_id join estimates e on e.id = p.estimate_id where c.folio like $1 order by c.folio, e.numero, p.importe, p.referencia`, [like, cut])
  }
}
