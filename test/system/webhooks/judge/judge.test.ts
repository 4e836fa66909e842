import t from 'tap'
import { Endpoint } from '../endpoint.ts'
import type { Hit } from '../hit.ts'
import { parsed } from '../items.ts'
import type { Disturbance } from '../servers.ts'
import type { User } from '../user.ts'
import type { Entry, Truth } from '../watch.ts'
import { judge } from './judge.ts'

const recordOf = (id: number, version: number) => ({ id, company: 1, version })

/** The log of contract 1, created and changed, contract 2, deleted, and contract 3, created, at revisions 11 to 15. */
const log: Entry[] = [[11, 1, 'insert'], [12, 2, 'insert'], [13, 1, 'update'], [14, 2, 'delete'], [15, 3, 'insert']].map(([revision, id, operation]) => ({ company: 1, revision, resource: 'contracts', id, operation }) as Entry)
const records = [recordOf(1, 2), recordOf(3, 1)]
const states = [recordOf(1, 1), recordOf(2, 1), ...records]

/** A delivery of contracts, each as `revision id change version`. */
function hit (at: number, changes: string[], other: Partial<Hit> = {}): Hit {
  const [item] = changes.map((text) => {
    const [revision, id, change, version] = text.split(' ')
    return { type: `contracts.${change}`, timestamp: '', data: { company: 1, revision: Number(revision), resource: 'contracts', id: Number(id), ...version === undefined ? {} : { record: recordOf(Number(id), Number(version)) } } }
  })
  const body = JSON.stringify(item)
  return { path: '/0/0', at, end: at + 1, clock: 1000 * at, id: `msg ${body}`, timestamp: at, body, items: parsed(body), fate: 'no content', isAccepted: true, isFrozen: false, unverified: [], ...other }
}

/** The faults of a webhook that was created at revision 10. */
function faultsOf (hits: Hit[], { disturbances = [], events = ['contracts.created', 'contracts.updated', 'contracts.deleted'], act }: { disturbances?: Disturbance[], events?: string[], act?: (endpoint: Endpoint) => void } = {}): string {
  const endpoint = new Endpoint(0, { company: 1 } as User, { batch: 1 }, () => 0)
  Object.assign(endpoint, { id: 7, events })
  endpoint.receiver.hits.push(...hits)
  act?.(endpoint)
  const truth: Truth = {
    log,
    states: new Map(states.map(record => [`1 contracts ${record.id} ${record.version}`, JSON.stringify(record)])),
    records: new Map(records.map(record => [`1 contracts ${record.id}`, JSON.stringify(record)])),
    cursors: [{ webhook: 7, revision: 10, leaseSeconds: null }],
    leased: [],
    attempts: new Set(hits.map(({ id }) => `7 ${id}`))
  }
  return judge([endpoint], truth, disturbances).join('\n')
}

const first = hit(1, ['13 1 created 2'])
const second = hit(3, ['14 2 deleted'])
const third = hit(5, ['15 3 created 1'])

t.test('a complete history has no faults', async (t) => {
  t.equal(faultsOf([first, second, third]), '')
  t.equal(faultsOf([hit(1, ['13 1 updated 2'])], { events: ['contracts.updated'] }), '', 'a created and changed record is updated for subscribers of updates')
  t.equal(faultsOf([first, hit(2, ['14 2 deleted'], { isAccepted: false, fate: 'error' }), second, third]), '', 'a failed delivery is repeated')
})

t.test('lost changes', async (t) => {
  t.match(faultsOf([first, second]), /creation of contracts 3 at 15 is lost/)
  t.match(faultsOf([first, third]), /deletion of contracts 2 at 14 is lost/)
  t.match(faultsOf([hit(1, ['11 1 created 1']), second, third]), /last change of contracts 1 at 13 is lost/)
  t.match(faultsOf([first, { ...second, isAccepted: false, fate: 'error' }, third]), /deletion of contracts 2 at 14 is lost/)
})

t.test('repetitions, only with a reason', async (t) => {
  const again = { ...second, at: 4, end: 4.5, timestamp: 4, clock: 4000 }
  t.match(faultsOf([first, second, again, third]), /deleted 2 at 14 .* follows contracts.deleted 2 at 14/)
  t.equal(faultsOf([first, second, again, third], { disturbances: [{ kind: 'kill', from: 3.5, to: 3.6 }] }), '')
  t.match(faultsOf([first, second, third, hit(7, ['13 1 updated 2'])], { disturbances: [{ kind: 'kill', from: 6, to: 6 }] }), /follows/, 'an earlier one than that in flight')
  t.equal(faultsOf([first, second, third, { ...second, at: 9, end: 10, timestamp: 9, clock: 9000 }, { ...third, at: 11, end: 12, timestamp: 11, clock: 11_000 }], { act: ({ replays }) => replays.push({ from: 7, to: 8, since: 13, tries: 1 }) }), '')
  t.match(faultsOf([first, second, third], { act: ({ replays }) => replays.push({ from: 7, to: 8, since: 13, tries: 1 }) }), /deletion of contracts 2 at 14 is lost/, 'nothing follows a replay')
})

t.test('wrong requests', async (t) => {
  t.match(faultsOf([{ ...first, end: 3.5 }, second, third]), /begins \d+ ms before the end/)
  t.match(faultsOf([first, { ...second, id: first.id }, third]), /two bodies have the id/)
  t.match(faultsOf([first, { ...second, unverified: [0] }, third]), /is not signed with secret 1/)
  t.match(faultsOf([first, second, { ...third, timestamp: 1 }]), /has the timestamp 1/)
  t.match(faultsOf([first, second, third], { act: ({ inactive }) => inactive.push({ from: 2, to: 6 }) }), /2 requests arrived while it was inactive/)
  t.match(faultsOf([first, second, third], { events: ['contracts.created'] }), /deleted 2 at 14 is not subscribed/)
  t.match(faultsOf([hit(1, ['13 1 updated 2']), second, third]), /was not announced as created/)
  t.match(faultsOf([hit(1, ['11 1 created 1']), hit(2, ['13 1 created 2']), second, third]), /is created twice/)
})

t.test('a suspended server repeats a request to the former URL after one of the other server', async (t) => {
  const moved = { act: (endpoint: Endpoint) => { endpoint.paths.push({ path: '/0/0', since: 0 }, { path: '/0/1', since: 2.5 }) } }
  const cut = hit(2, ['14 2 deleted'], { isAccepted: false, fate: 'closed', isFrozen: true })
  const other = { ...second, timestamp: 3, end: 3.2, isAccepted: false, fate: 'error' as const }
  const repeated = { ...second, at: 3.5, end: 4, timestamp: 2 }
  const last = { ...third, path: '/0/1' }
  t.equal(faultsOf([first, cut, other, repeated, last], moved), '')
  t.match(faultsOf([first, cut, other, { ...repeated, timestamp: 3 }, last], moved), /2 requests arrived at \/0\/0 after the URL was changed/)
})

t.test('rotations', async (t) => {
  const cut = hit(3, ['14 2 deleted'], { isAccepted: false, fate: 'half a head' })
  const rotated = (hits: Hit[]) => faultsOf(hits, { act: ({ secrets }) => secrets.push(...[0, 3.1].map(since => ({ since }) as typeof secrets[number])) })
  const again = hit(5, ['14 2 deleted'], { timestamp: 3, unverified: [1] })
  t.equal(rotated([first, cut, again, hit(7, ['15 3 created 1'])]), '', 'a request is repeated with its headers when the connection was cut')
  t.match(rotated([first, cut, { ...again, timestamp: 4 }, hit(7, ['15 3 created 1'])]), /is not signed with secret 2/)
  t.match(rotated([first, { ...cut, fate: 'error' }, again, hit(7, ['15 3 created 1'])]), /is not signed with secret 2/)
})

t.test('a delivery during the call of a replay can be of the replay before, though that had no other', async (t) => {
  const replays = [{ from: 6, to: 7, since: 14, tries: 1 }, { from: 9, to: 10, since: 13, tries: 1 }, { from: 12, to: 16, since: 14, tries: 1 }]
  const hits = [first, second, third, hit(8, ['15 3 created 1']), hit(14, ['14 2 deleted']), hit(18, ['15 3 created 1'])]
  t.equal(faultsOf(hits, { act: endpoint => endpoint.replays.push(...replays) }), '')
  t.match(faultsOf(hits.slice(0, -1), { act: endpoint => endpoint.replays.push(...replays) }), /creation of contracts 3 at 15 is lost/)
})
