import { randomUUID } from 'node:crypto'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { Device } from '../../support/device.ts'
import type { Answer, RequestOptions, Balancer } from './balancer.ts'

/** A client of a trial: the steps that it repeats until the trial is over. */
export interface Scenario {
  name: string
  step: () => Promise<void>
  /** Completed steps. */
  steps: number
}

/** A device, which at the end must have the state of its company. */
export interface DeviceScenario extends Scenario {
  device: Device
  company: number
}

/** A wrong answer. */
class Wrong extends Error {}

function expect (isRight: boolean, what: string, { status, text }: Pick<Answer, 'status' | 'text'>): asserts isRight {
  if (!isRight) throw new Wrong(`${what}: ${status} ${text.slice(0, 300)}`)
}

/** Logs in, refreshes on another server, repeats the refresh, and ends the session, which no server accepts afterwards. */
export function session (balancer: Balancer, email: string): Scenario {
  return {
    name: 'sessions',
    steps: 0,
    async step () {
      const [first, other] = balancer.pair()
      const opened = await balancer.send('api-token-auth/', { method: 'POST', body: { email, password: demoPassword }, to: first })
      expect(opened.status === 200, 'log-in', opened)
      const { access, refresh } = opened.body
      const options: RequestOptions = { method: 'POST', token: access, body: { refresh } }
      const rotated = await balancer.send('api-token-refresh/', { ...options, to: other })
      expect(rotated.status === 200, 'refresh', rotated)
      const again = await balancer.send('api-token-refresh/', { ...options, to: first })
      expect(again.status === 200 && again.body.refresh === rotated.body.refresh, 'repeated refresh', again)
      const token = rotated.body.access
      const me = await balancer.send('me/', { token, to: first })
      expect(me.status === 200 && me.body.email === email, 'me', me)
      const revoked = await balancer.send('api-token-revoke/', { method: 'POST', token, body: { refresh: rotated.body.refresh }, to: other })
      expect(revoked.status < 300, 'revoke', revoked)
      for (const to of balancer.servers) {
        const refused = await balancer.send('me/', { token, to })
        expect(refused.status === 401, 'ended session', refused)
      }
    }
  }
}

/** Changes its own record: each ETag of one server is used on another one. */
export function etags (balancer: Balancer, token: string, name: string): Scenario {
  let id: number | undefined
  let changes = 0
  return {
    name: 'ETags',
    steps: 0,
    async step () {
      id ??= (await balancer.send('contracts/', { method: 'POST', token, body: { folio: name } })).body.id as number
      const path = `contracts/${id}/`
      const [first, other] = balancer.pair()
      for (const read of [path, `contracts/?folio=${name}`]) {
        const before = await balancer.send(read, { token, to: first })
        expect(before.status === 200, 'read', before)
        const conditional = await balancer.send(read, { token, to: other, headers: { 'if-none-match': before.headers.get('etag') as string } })
        expect(conditional.status === 304 || conditional.status === 200, 'If-None-Match', conditional)
        if (conditional.status === 304) {
          const present = await balancer.send(read, { token, to: other })
          expect(present.text === before.text, `304 of ${before.text}`, present)
        } else {
          expect(contains(conditional.body, before.body), `after ${before.text}`, conditional)
        }
      }
      const seen = await balancer.send(path, { token, to: first })
      expect(seen.status === 200, 'read', seen)
      const tag = seen.headers.get('etag') as string
      const descripcion = `change ${++changes}`
      const changed = await balancer.send(path, { method: 'PATCH', token, to: other, headers: { 'if-match': tag }, body: { descripcion } })
      expect(changed.status === 200 && changed.body.descripcion === descripcion, 'If-Match', changed)
      const fresh = await balancer.send(path, { token, to: first, headers: { 'if-none-match': tag } })
      expect(fresh.status === 200 && fresh.body.descripcion === descripcion, 'read after a change', fresh)
      const stale = await balancer.send(path, { method: 'PATCH', token, to: first, headers: { 'if-match': tag }, body: { descripcion: 'stale' } })
      expect(stale.status === 412, 'If-Match of an earlier version', stale)
    }
  }
}

/** Whether a body of another release has all fields of this one with the same values. Lists are compared by count and rows. */
function contains (other: any, body: any): boolean {
  if (Array.isArray(body)) return Array.isArray(other) && other.length === body.length && body.every((row, index) => contains(other[index], row))
  if (typeof body !== 'object' || body === null) return other === body
  return Object.entries(body).every(([field, value]) => contains(other?.[field], value))
}

/** Creates by a key, and repeats the request on another server, which must replay the answer. */
export function repeats (balancer: Balancer, token: string, name: string): Scenario {
  let made = 0
  return {
    name: 'repeated requests',
    steps: 0,
    async step () {
      const [first, other] = balancer.pair()
      const options: RequestOptions = { method: 'POST', token, headers: { 'idempotency-key': randomUUID() }, body: { folio: `${name}-${++made}` } }
      const created = await balancer.send('contracts/', { ...options, to: first })
      expect(created.status === 201, 'create', created)
      const again = await balancer.send('contracts/', { ...options, to: other })
      expect(again.status === 201 && again.body.id === created.body.id && again.headers.has('idempotency-replayed'), `repeated create of ${created.text}`, again)
    }
  }
}

/** A device that sends edits, repeats them on another server, and reads the feed until it has them. */
export function device (balancer: Balancer, token: string, company: number, name: string): DeviceScenario {
  const id = randomUUID()
  const copy = new Device(async url => await fetchFeed(balancer, url, token))
  let last = 0
  return {
    name: 'devices',
    steps: 0,
    company,
    device: copy,
    async step () {
      const [first, other] = balancer.pair()
      const mutations = [
        { id: ++last, op: 'create', resource: 'contracts', ref: `c${last}`, body: { folio: `${name}-${last}` } },
        { id: ++last, op: 'update', resource: 'contracts', record: { ref: `c${last - 1}` }, body: { descripcion: `edit ${last}` } }
      ]
      const sent: RequestOptions = { method: 'POST', token, body: { device: id, acknowledged: last - 2, mutations } }
      const applied = await balancer.send('mutations/', { ...sent, to: first })
      expect(applied.status === 200 && applied.body.results.every(({ status }: { status: number }) => status < 300), 'mutations', applied)
      const again = await balancer.send('mutations/', { ...sent, to: other })
      expect(again.status === 200 && contains(withoutReplayed(again), withoutReplayed(applied)), `repeated mutations of ${applied.text}`, again)

      await copy.sync()
      const { id: record } = applied.body.results[1].record
      const own = copy.records.get(`contracts/${record}`)
      if (own?.['descripcion'] !== `edit ${last}`) throw new Wrong(`after an edit of contract ${record} the feed has ${JSON.stringify(own)}`)
    }
  }
}

function withoutReplayed ({ body }: Answer): unknown {
  return body.results.map(({ replayed, ...result }: Record<string, unknown>) => result)
}

/** A device that waits for changes of a company in which nothing changes, and ones that the shutdown of its server ends. */
export function waiting (balancer: Balancer, token: string, company: number): DeviceScenario {
  const copy: Device = new Device(async url => await fetchFeed(balancer, url, token, copy.revision === undefined ? {} : { prefer: 'wait=3' }))
  return { name: 'waits', steps: 0, company, device: copy, step: async () => { await copy.step() } }
}

async function fetchFeed (balancer: Balancer, url: string, token: string, headers: Record<string, string> = {}) {
  const { status, body } = await balancer.send(url, { token, headers })
  return { statusCode: status, json: () => body }
}
