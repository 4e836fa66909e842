import t from 'tap'
import { unaccounted, type Outcome } from './fates.ts'
import { Ledger, type Edit } from './ledger.ts'
import { Wire } from './wire.ts'

const common = { phone: 'p1', company: 1, resource: 'contracts', id: 7, identity: 'p0-1', field: 'descripcion' } as const

/** The end of a trial with an edit that is applied and reported, and perhaps with a removal of its record. */
function outcomeOf (ledger: Ledger, restores: number, isRemoved: boolean): Outcome {
  const made: Edit[] = [ledger.add({ ...common, op: 'update', token: 'p1-2' })]
  if (isRemoved) made.push(ledger.add({ ...common, phone: 'p2', op: 'remove', token: 'removal 1' }))
  return {
    ledger,
    wires: new Map(['p1', 'p2'].map(name => [name, new Wire(ledger)])),
    applied: new Map(made.map(edit => [edit, []])),
    lost: Array.from({ length: restores }, () => new Map()),
    present: new Set(isRemoved ? [] : ['p0-1']),
    isListed: ({ op }) => op === 'update',
    isShown: () => false
  }
}

t.test('an edit is applied or reported, not both', async (t) => {
  t.match(unaccounted(outcomeOf(new Ledger(), 1, false)), [/is reported, but was applied/])
  t.match(unaccounted(outcomeOf(new Ledger(), 0, true)), [/is reported, but was applied/])
})

t.test('after a restore, a phone can report an applied edit of a record that somebody has removed', async (t) => {
  t.strictSame(unaccounted(outcomeOf(new Ledger(), 1, true)), [])
})

t.test('an edit that was sent and not answered can be replaced only if the creation of its record was refused', async (t) => {
  for (const status of [201, 403]) {
    const ledger = new Ledger()
    const wire = new Wire(ledger)
    const kept = (edit: Parameters<Ledger['add']>[0]) => Object.assign(ledger.add(edit), { isKept: true })
    const created = kept({ ...common, op: 'create', field: 'folio', token: 'p1-1' })
    const [first, last] = ['p1-2', 'p1-3'].map(token => kept({ ...common, op: 'update', token }))
    const sent = ({ token, op, resource }: Edit, id: number) => ({ content: { id, op, resource, body: { token } }, answers: [] })
    const answer = { tick: 1, timeline: 0, status, text: '', id: undefined }
    wire.carriers.set(created, new Set([{ ...sent(created, 1), answers: [answer] }]))
    wire.carriers.set(first as Edit, new Set([sent(first as Edit, 2)]))
    const outcome = { ...outcomeOf(ledger, 0, false), wires: new Map([['p1', wire]]), applied: new Map(), isListed: ({ token }: Edit) => [created.token, last?.token].includes(token) }
    const faults = unaccounted(outcome)
    if (status === 403) t.strictSame(faults, [])
    else t.match(faults, [/p1-2 was neither applied nor reported/])
  }
})
