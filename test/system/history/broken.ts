import type { Asked } from './act.ts'
import { due, type Due, type Fields, type State, type Write } from './model.ts'
import { StandIn } from './stand-in.ts'

/** State in which contracts are other than they are. */
const pretending = (state: State, change: (contract: Fields) => Fields): State =>
  ({ ...state, contracts: new Map([...state.contracts].map(([id, contract]) => [id, change(contract)])) })

/** Servers that break a promise, and what the checker has to say of them. */
export const broken: Array<[name: string, said: RegExp, Server: typeof StandIn]> = [
  ['shows what was there before a write, under an ETag that says so', /^stale: revision \d+ after \d+ was acknowledged or shown/, class extends StandIn {
    protected override seen () { return Math.max(0, this.states.length - 1 - Math.floor(this.random() * 12)) }
  }],
  ['shows what was there before a write, under an ETag that does not say so', / in place of .*\/ → 200/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) { return super.look(Math.max(0, revision - Math.floor(this.random() * 12)), path, after) ?? super.look(revision, path, after) }
  }],
  ['answers 304 to whoever has an ETag', /^stale: revision .* → 304/, class extends StandIn {
    protected override unchanged (ifNoneMatch: string | undefined) { return ifNoneMatch !== undefined }
  }],
  ['shows a bulk half done', /^half of what belongs together/, class extends StandIn {
    protected override seen () {
      const last = this.log.at(-1)
      const before = this.log.at(-2)
      return last?.operation === 'insert' && before?.operation === 'update' ? this.states.length - 2 : this.states.length - 1
    }
  }],
  ['counts otherwise than it lists', /^count is \d+ in place of \d+/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body?.count > 3 ? { ...body, count: body.count + 1 } : body
    }
  }],
  ['shows a record on two pages', /^results\.0\.id is \d+ in place of \d+: .*cursor/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) { return super.look(revision, path, after === undefined ? undefined : after - 1) }
  }],
  ['does not look at If-Match', /^412 was due at revision \d+: .*If-Match.* → 200/, class extends StandIn {
    protected override decide (state: State, { ifMatch: _, ...asked }: Asked): Due { return due(state, asked) }
  }],
  ['writes back what it had read before another wrote', /monto is .* in place of .*: .*PATCH/, class extends StandIn {
    protected override carryOut (writes: Write[]) {
      const earlier = this.states.at(-4)
      return super.carryOut(writes.map((write) => {
        const { monto } = earlier?.contracts.get(write.id ?? 0) ?? {}
        return write.resource === 'contracts' && write.fields !== undefined && monto !== undefined ? { ...write, fields: { ...write.fields, monto } } : write
      }))
    }
  }],
  ['acknowledges what it does not do', /^(acknowledged, and never done|two were told of version)/, class extends StandIn {
    protected override carryOut (writes: Write[]) { return writes.every(({ id }) => id !== undefined) && this.random() < 0.1 ? writes.map(({ id }) => id as number) : super.carryOut(writes) }
  }],
  ['does what it refuses', /nobody was told of version/, class extends StandIn {
    protected override write (asked: Asked) {
      const said = super.write(asked)
      return said.status === 200 && this.random() < 0.1 ? { status: 409, body: '{}' } : said
    }
  }],
  ['forgets keys', /^done again under its key/, class extends StandIn {
    protected override write (asked: Asked) {
      if (this.random() < 0.2) this.given.clear()
      return super.write(asked)
    }
  }],
  ['gives another answer under the key', /^another answer under the key/, class extends StandIn {
    protected override write (asked: Asked) {
      const said = super.write(asked)
      return said.replayed === true ? { ...said, body: said.body.replace('"version":1', '"version":2') } : said
    }
  }],
  ['says that a key is in use when it is not', /^(409 for a key that nobody was using|refused, although)/, class extends StandIn {
    protected override write (asked: Asked) { return asked.key !== undefined && this.given.has(asked.key) ? { status: 409, body: '{}' } : super.write(asked) }
  }],
  ['refuses what it has answered under the key', /^refused, although the key has an answer/, class extends StandIn {
    protected override write (asked: Asked) { return asked.key !== undefined && this.given.has(asked.key) ? { status: 400, body: '{"errors":{"folio":[]}}' } : super.write(asked) }
  }],
  ['says that an answer was given before, when it was not', /^an answer given again that was never given/, class extends StandIn {
    protected override write (asked: Asked) {
      const said = super.write(asked)
      return asked.key === undefined ? said : { ...said, replayed: true }
    }
  }],
  ['shows now this and now that under one ETag', /^another body under the same ETag/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body === undefined ? undefined : { ...body, updated_at: this.random() }
    }
  }],
  ["answers under another company's ETag", /^an ETag of no revision of company 7/, class extends StandIn {
    protected override read (path: string, ifNoneMatch?: string) {
      const said = super.read(path, ifNoneMatch)
      return said.status === 200 ? { ...said, etag: said.etag?.replace('"7.', '"8.') } : said
    }
  }],
  ['answers 304 with another ETag than was asked for', /^304 to another ETag/, class extends StandIn {
    protected override read (path: string, ifNoneMatch?: string) {
      const said = super.read(path)
      return said.status === 200 && ifNoneMatch !== undefined && ifNoneMatch !== said.etag ? { ...said, status: 304, body: '' } : said
    }
  }],
  ['leaves a hole in the numbers', /numero is \d+ in place of \d+/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      const decided = due(state, asked)
      if ('fields' in decided || asked.method !== 'POST' || !asked.path.startsWith('estimates')) return decided
      return { ...decided, writes: decided.writes.map(write => ({ ...write, fields: { ...write.fields, numero: (write.fields as Fields)['numero'] + 1 } })) }
    }
  }],
  ['authorizes more than the contract is for', /^400 for monto was due at revision \d+: .*autorizada.* → 200/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      return due(asked.body?.estado === 'autorizada' ? pretending(state, contract => ({ ...contract, monto: 1e9 })) : state, asked)
    }
  }],
  ['adds an estimate to a closed contract', /^400 for (items\.\d\.)?contract.* was due at revision \d+: .*POST estimates.* → 201/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      return due(asked.method === 'POST' && asked.path.startsWith('estimates') ? pretending(state, contract => ({ ...contract, estado: 'vigente' })) : state, asked)
    }
  }],
  ['moves an estimate of a cancelled contract on', /^400 for estado was due at revision \d+: .*PATCH estimates.* → 200/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      return due(asked.method === 'PATCH' && asked.path.startsWith('estimates') ? pretending(state, contract => ({ ...contract, estado: 'vigente' })) : state, asked)
    }
  }],
  ['changes the currency of a contract that is billed', /^400 for moneda was due at revision \d+: .*PATCH contracts.* → 200/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      return due(asked.body?.moneda !== undefined && asked.method === 'PATCH' ? { ...state, estimates: new Map() } : state, asked)
    }
  }],
  ['leaves out what is in other currencies', /otras_monedas\.\w+ is undefined in place of/, class extends StandIn {
    protected override look (revision: number, path: string, after?: number) {
      const body = super.look(revision, path, after)
      return body?.otras_monedas === undefined ? body : { ...body, otras_monedas: {} }
    }
  }],
  ['moves contracts in a circle', /^400 for parent was due at revision \d+: .*PATCH/, class extends StandIn {
    protected override decide (state: State, asked: Asked) {
      return due(asked.method === 'PATCH' && asked.body.parent !== undefined ? pretending(state, contract => ({ ...contract, parent: null })) : state, asked)
    }

    protected override look (revision: number, path: string, after?: number) { return path.endsWith('tree/') ? undefined : super.look(revision, path, after) }
  }],
  ['deletes an estimate that is not the last', /^409 was due at revision \d+: .*DELETE estimates/, class extends StandIn {
    protected override decide (state: State, asked: Asked): Due {
      const decided = due(state, asked)
      const [, id] = /^estimates\/(\d+)/.exec(asked.path) ?? []
      return decided.status === 409 && asked.method === 'DELETE' && id !== undefined ? { status: 204, writes: [{ resource: 'estimates', id: Number(id) }] } : decided
    }
  }],
  ['refuses without a reason', /^412 without a reason/, class extends StandIn {
    protected override decide (state: State, asked: Asked): Due {
      const decided = due(state, asked)
      return asked.ifMatch !== undefined && decided.status === 200 && this.random() < 0.2 ? { status: 412, fields: [] } : decided
    }
  }],
  ['fails', /^failed: .* → 500/, class extends StandIn {
    protected override write (asked: Asked) { return this.states.length > 5 && this.random() < 0.05 ? { status: 500, body: '{}' } : super.write(asked) }
  }],
  ['loses a record at the end', /^at the end: estimates \d+ is "gone"/, class extends StandIn {
    protected override rows () {
      const { contracts, estimates } = super.rows()
      return { contracts, estimates: estimates.slice(1) }
    }
  }]
]
