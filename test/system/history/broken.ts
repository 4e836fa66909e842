import type { HistoryRequest } from './act.ts'
import { due, type Due } from './model.ts'
import { StandIn } from './stand-in.ts'
import { isWaiting, type Fields, type State, type Write } from './state.ts'

/** A state with changed contracts. */
const withContracts = (state: State, change: (contract: Fields) => Fields): State =>
  ({ ...state, contracts: new Map([...state.contracts].map(([id, contract]) => [id, change(contract)])) })

/** Records that are all drafts. */
const drafts = (records: ReadonlyMap<number, Fields>) => new Map([...records].map(([id, record]) => [id, { ...record, estado: 'borrador' }]))

/** Servers that break a guarantee, and the fault that the checker must report. */
export const broken: Array<[name: string, answer: RegExp, Server: typeof StandIn]> = [
  ['shows an older state with its older ETag', /^stale: revision \d+ after \d+ was acknowledged or shown/, class extends StandIn {
    protected override seen () { return Math.max(0, this.states.length - 1 - Math.floor(this.random() * 12)) }
  }],
  ['shows an older state with a current ETag', / in place of .*\/ → 200/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) { return super.look(Math.max(0, revision - Math.floor(this.random() * 12)), path, after) ?? super.look(revision, path, after) }
  }],
  ['answers 304 to any If-None-Match', /^stale: revision .* → 304/, class extends StandIn {
    protected override unchanged (ifNoneMatch: string | undefined) { return ifNoneMatch !== undefined }
  }],
  ['shows a half-done bulk', /^part of a write/, class extends StandIn {
    protected override seen () {
      const last = this.log.at(-1)
      const before = this.log.at(-2)
      return last?.operation === 'insert' && before?.operation === 'update' ? this.states.length - 2 : this.states.length - 1
    }
  }],
  ['returns a wrong count', /^count is \d+ in place of \d+/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body?.count > 3 ? { ...body, count: body.count + 1 } : body
    }
  }],
  ['shows a record on two pages', /^results\.0\.id is \d+ in place of \d+: .*cursor/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) { return super.look(revision, path, after === undefined ? undefined : after - 1) }
  }],
  ['ignores If-Match', /^expected 412 at revision \d+: .*If-Match.* → 200/, class extends StandIn {
    protected override decide (state: State, { ifMatch: _, ...request }: HistoryRequest): Due { return due(state, request) }
  }],
  ['loses an update', /monto is .* in place of .*: .*PATCH/, class extends StandIn {
    protected override carryOut (writes: Write[]) {
      const earlier = this.states.at(-4)
      return super.carryOut(writes.map((write) => {
        const { monto } = earlier?.contracts.get(write.id ?? 0) ?? {}
        return write.resource === 'contracts' && write.fields !== undefined && monto !== undefined ? { ...write, fields: { ...write.fields, monto } } : write
      }))
    }
  }],
  ['acknowledges a write without doing it', /^(acknowledged but never done|version \d+ of \S+ \d+ was acknowledged twice)/, class extends StandIn {
    protected override carryOut (writes: Write[]) { return writes.every(({ id }) => id !== undefined) && this.random() < 0.1 ? writes.map(({ id }) => id as number) : super.carryOut(writes) }
  }],
  ['does a write that it refuses', /no act was answered with version/, class extends StandIn {
    protected override write (request: HistoryRequest) {
      const answer = super.write(request)
      return answer.status === 200 && this.random() < 0.1 ? { status: 409, body: '{}' } : answer
    }
  }],
  ['forgets keys', /^executed again for the same key/, class extends StandIn {
    protected override write (request: HistoryRequest) {
      if (this.random() < 0.2) this.given.clear()
      return super.write(request)
    }
  }],
  ['replays another answer for a key', /^another answer for the same key/, class extends StandIn {
    protected override write (request: HistoryRequest) {
      const answer = super.write(request)
      return answer.replayed === true ? { ...answer, body: answer.body.replace('"version":1', '"version":2') } : answer
    }
  }],
  ['answers 409 for a key that is not in use', /^(409 for a key that is not in use|refused although)/, class extends StandIn {
    protected override write (request: HistoryRequest) { return request.key !== undefined && this.given.has(request.key) ? { status: 409, body: '{}' } : super.write(request) }
  }],
  ['refuses a request with an answered key', /^refused although the key has an answer/, class extends StandIn {
    protected override write (request: HistoryRequest) { return request.key !== undefined && this.given.has(request.key) ? { status: 400, body: '{"errors":{"folio":[]}}' } : super.write(request) }
  }],
  ['marks an answer as replayed that is not', /^a replay without a first answer/, class extends StandIn {
    protected override write (request: HistoryRequest) {
      const answer = super.write(request)
      return request.key === undefined ? answer : { ...answer, replayed: true }
    }
  }],
  ['shows different bodies with the same ETag', /^another body with the same ETag/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body === undefined ? undefined : { ...body, updated_at: this.random() }
    }
  }],
  ["answers under another company's ETag", /^an ETag with an unknown revision or company/, class extends StandIn {
    protected override read (path: string, ifNoneMatch?: string) {
      const answer = super.read(path, ifNoneMatch)
      return answer.status === 200 ? { ...answer, etag: answer.etag?.replace('"7.', '"8.') } : answer
    }
  }],
  ['answers 304 with another ETag than that of If-None-Match', /^304 to another ETag/, class extends StandIn {
    protected override read (path: string, ifNoneMatch?: string) {
      const answer = super.read(path)
      return answer.status === 200 && ifNoneMatch !== undefined && ifNoneMatch !== answer.etag ? { ...answer, status: 304, body: '' } : answer
    }
  }],
  ['leaves a gap in the numbers', /numero is \d+ in place of \d+/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      const decided = due(state, request)
      if ('fields' in decided || request.method !== 'POST' || !request.path.startsWith('estimates')) return decided
      return { ...decided, writes: decided.writes.map(write => ({ ...write, fields: { ...write.fields, numero: (write.fields as Fields)['numero'] + 1 } })) }
    }
  }],
  ['authorizes more than the amount of the contract', /^expected 400 for monto at revision \d+: .*autorizada.* → 200/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.body?.estado === 'autorizada' ? withContracts(state, contract => ({ ...contract, monto: 1e9 })) : state, request)
    }
  }],
  ['does not add a line to its estimate', /^no change of estimates\/\d+ follows: .*generadores/, class extends StandIn {
    protected override effects (state: State, writes: Array<Write & { id: number }>) { return writes.some(({ resource }) => resource === 'generadores') ? [] : super.effects(state, writes) }
  }],
  ['adds a line to a sent estimate', /^expected 409 at revision \d+: .*generadores\/.* → 20/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.path.startsWith('generadores') ? { ...state, estimates: drafts(state.estimates) } : state, request)
    }
  }],
  ['counts a signature twice', /^(monto|results\.\d+\.monto|contracts \d+\.monto|final rows: contracts \d+\.monto) is .* in place of/, class extends StandIn {
    protected override effects (state: State, writes: Array<Write & { id: number }>) {
      return super.effects(state, writes).map(effect => effect.resource === 'contracts' && writes[0].resource === 'convenios'
        ? { ...effect, fields: { ...effect.fields, monto: effect.fields?.['monto'] + 7 } }
        : effect)
    }
  }],
  ['accepts a payment of more than is due', /^expected 400 for (estimate|importe) at revision \d+: .*POST pagos\/ .* → 201/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest): Due {
      const decided = due(state, request)
      const { estimate, importe } = request.body ?? {}
      const contract = state.estimates.get(estimate)?.['contract']
      if (request.path !== 'pagos/' || decided.status !== 400 || contract === undefined) return decided
      return { status: 201, writes: [{ resource: 'pagos', fields: { estimate, contract, importe: Number(importe), referencia: request.body.referencia } }] }
    }
  }],
  ['returns more than was taken', /^expected 400 for importe at revision \d+: .*POST movimientos\/ .* → 201/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest): Due {
      const decided = due(state, request)
      const { estimate, tipo, sentido, motivo, importe } = request.body ?? {}
      const contract = state.estimates.get(estimate)?.['contract']
      if (request.path !== 'movimientos/' || decided.status !== 400 || contract === undefined) return decided
      return { status: 201, writes: [{ resource: 'movimientos', fields: { estimate, contract, tipo, sentido, motivo, importe: Number(importe) } }] }
    }
  }],
  ['authorizes more than the agreed advance', /^expected 400 for anticipo at revision \d+: .*autorizada.* → 200/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      const [, id] = /^estimates\/(\d+)/.exec(request.path) ?? []
      const isAdvance = state.estimates.get(Number(id))?.['tipo'] === 'anticipo'
      return due(isAdvance ? withContracts(state, contract => ({ ...contract, anticipo_porcentaje: 1000 })) : state, request)
    }
  }],
  ['repays less of the advance', /amortizacion is .* in place of .*autorizada/, class extends StandIn {
    protected override carryOut (writes: Write[]) {
      return super.carryOut(writes.map(write => write.fields?.['amortizacion'] > 0 ? { ...write, fields: { ...write.fields, amortizacion: 0 } } : write))
    }
  }],
  ['authorizes a finiquito while others wait', /^expected 400 for .*estado.* at revision \d+: .*autorizada.* → 200/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      const [, id] = /^estimates\/(\d+)/.exec(request.path) ?? []
      const isFiniquito = state.estimates.get(Number(id))?.['tipo'] === 'finiquito'
      const others = [...state.estimates].filter(([other, estimate]) => other === Number(id) || !isWaiting(estimate))
      return due(isFiniquito ? { ...state, estimates: new Map(others) } : state, request)
    }
  }],
  ['adds a period to the programme of a settled contract', /^expected 400 for contract at revision \d+: .*POST programa\/ .* → 201/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.path.startsWith('programa') ? { ...state, estimates: drafts(state.estimates) } : state, request)
    }
  }],
  ['changes a row of a closed catalogue', /^expected 409 at revision \d+: .*conceptos\/.* → 20/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.path.startsWith('conceptos') ? { ...state, estimates: drafts(state.estimates), convenios: drafts(state.convenios) } : state, request)
    }
  }],
  ['adds an estimate to a closed contract', /^expected 400 for (items\.\d\.)?contract.* at revision \d+: .*POST estimates.* → 201/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.method === 'POST' && request.path.startsWith('estimates') ? withContracts(state, contract => ({ ...contract, estado: 'vigente' })) : state, request)
    }
  }],
  ['changes the state of an estimate of a cancelled contract', /^expected 400 for estado at revision \d+: .*PATCH estimates.* → 200/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.method === 'PATCH' && request.path.startsWith('estimates') ? withContracts(state, contract => ({ ...contract, estado: 'vigente' })) : state, request)
    }
  }],
  ['changes the currency of a contract with estimates', /^expected 400 for moneda at revision \d+: .*PATCH contracts.* → 200/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.body?.moneda !== undefined && request.method === 'PATCH' ? { ...state, estimates: new Map() } : state, request)
    }
  }],
  ['omits sums in other currencies', /otras_monedas\.\w+ is undefined in place of/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body?.otras_monedas === undefined ? body : { ...body, otras_monedas: {} }
    }
  }],
  ['moves a contract under itself', /^expected 400 for parent at revision \d+: .*PATCH/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest) {
      return due(request.method === 'PATCH' && request.body.parent !== undefined ? withContracts(state, contract => ({ ...contract, parent: null })) : state, request)
    }

    protected override look (revision: number, path: string, after?: number) { return path.endsWith('tree/') ? undefined : super.look(revision, path, after) }
  }],
  ['deletes an estimate that is not the last', /^expected 409 at revision \d+: .*DELETE estimates/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest): Due {
      const decided = due(state, request)
      const [, id] = /^estimates\/(\d+)/.exec(request.path) ?? []
      return decided.status === 409 && request.method === 'DELETE' && id !== undefined ? { status: 204, writes: [{ resource: 'estimates', id: Number(id) }] } : decided
    }
  }],
  ['refuses for no reason', /^412 for no reason/, class extends StandIn {
    protected override decide (state: State, request: HistoryRequest): Due {
      const decided = due(state, request)
      return request.ifMatch !== undefined && decided.status === 200 && this.random() < 0.2 ? { status: 412, fields: [] } : decided
    }
  }],
  ['fails', /^failed: .* → 500/, class extends StandIn {
    protected override write (request: HistoryRequest) { return this.states.length > 5 && this.random() < 0.05 ? { status: 500, body: '{}' } : super.write(request) }
  }],
  ['loses a record at the end', /^final rows: estimates \d+ is "gone"/, class extends StandIn {
    protected override rows () {
      const rows = super.rows()
      return { ...rows, estimates: rows.estimates.slice(1) }
    }
  }]
]
