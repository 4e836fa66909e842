import { readTag, type HistoryRequest, type ResourceName } from './act.ts'
import { amountsOf } from './amounts.ts'
import { unauthorized } from './estimate-rules.ts'
import { rules } from './rules.ts'
import { isAuthorized, lastAuthorization, type Fields, type State, type Write } from './state.ts'

/** The answer that the API guarantees: a refusal with the fields or items of its problems, or the writes. */
export type Due = { status: 400 | 404 | 409 | 412, fields: string[] } | { status: 200 | 201 | 204, writes: Write[] }

/** The record with the amounts and the position of an authorization that the change makes or undoes, and with the payment that a change to `pagada` records. */
function authorizing (state: State, next: Fields, current: Fields): Fields {
  const decided = isAuthorized(next)
    ? { ...amountsOf(state, next), order: next['order'] ?? 1 + lastAuthorization(state, next['contract']) }
    : unauthorized
  const all = { ...next, ...decided }
  return next['estado'] === 'pagada' && current['estado'] !== 'pagada' ? { ...all, pagado: all.neto } : all
}

/** Fields that a new record copies from its estimate. */
function copied (state: State, resource: ResourceName, { estimate }: Fields): Fields {
  return ['generadores', 'pagos', 'movimientos'].includes(resource) ? { contract: state.estimates.get(estimate)?.['contract'] } : {}
}

/** The answer that the API guarantees for a request in this state (api.md, 5, 6 and 8; works.md, 2 to 8). */
export function due (state: State, { method, path, body, ifMatch }: HistoryRequest): Due {
  const [resource, part] = path.split('/') as [ResourceName, string]
  const { fresh, wrong, conflicts, kept, wrongToDelete } = rules[resource]
  const records = state[resource]
  const wrongOf = (next: Fields, current?: Fields) => wrong(state, next, current).filter(field => typeof field === 'string')
  if (method === 'POST') {
    const items: Fields[] = part === 'bulk' ? body.items : [body]
    const made: Fields[] = []
    const problems: string[] = []
    const refused: number[] = []
    const writes = items.map((item, index): Write => {
      const current = body.upsert === undefined ? undefined : [...records.values()].find(({ external_id: known }) => known === item['external_id'])
      const fields = { ...current ?? { ...fresh(state, item, made), ...copied(state, resource, item) }, ...given(item) }
      if (current === undefined) made.push(fields)
      problems.push(...wrongOf(fields, current).map(field => part === 'bulk' ? `items.${index}.${field}` : field))
      if (conflicts(state, fields, current)) refused.push(index)
      return { resource, id: current?.['id'], fields }
    })
    if (problems.length > 0) return { status: 400, fields: problems }
    if (refused.length === 0) return { status: 201, writes }
    return { status: 409, fields: part === 'bulk' ? refused.map(index => `items.${index}`) : [] }
  }

  const current = records.get(Number(part))
  if (current === undefined) return { status: 404, fields: [] }
  const { id, version } = current
  if (ifMatch !== undefined && readTag(ifMatch).version !== version) return { status: 412, fields: [] }
  if (method === 'DELETE') {
    if (kept(state, current)) return { status: 409, fields: [] }
    const problems = wrongToDelete?.(state, current) ?? []
    return problems.length > 0 ? { status: 400, fields: problems } : { status: 204, writes: [{ resource, id }] }
  }
  const changed = { ...current, ...given(body) }
  const next = resource === 'estimates' ? authorizing(state, changed, current) : changed
  const problems = wrongOf(next, current)
  if (problems.length > 0) return { status: 400, fields: problems }
  return conflicts(state, next, current) ? { status: 409, fields: [] } : { status: 200, writes: [{ resource, id, fields: next }] }
}

/** The fields that the model covers and a client may set, and those of them that are numbers. */
const writable = [
  'folio', 'monto', 'parent', 'descripcion', 'external_id', 'contract', 'estado', 'moneda', 'convenio', 'clave', 'cantidad', 'precio_unitario',
  'estimate', 'concepto', 'observaciones', 'importe', 'referencia', 'tipo', 'anticipo', 'sentido', 'motivo', 'anticipo_porcentaje', 'retencion_porcentaje'
]
const numbers = ['monto', 'cantidad', 'precio_unitario', 'importe', 'anticipo', 'anticipo_porcentaje', 'retencion_porcentaje']

/** The fields of a body that the model covers and a client may set. */
function given (body: Fields): Fields {
  const fields = Object.entries(body).filter(([name]) => writable.includes(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]))
}
