import { randomUUID } from 'node:crypto'
import t from 'tap'
import { pick, randomFrom } from '../../../src/trial/random.ts'
import { build } from '../../support/helper.ts'

interface Mutation {
  id: number
  op: string
  [field: string]: unknown
}

t.test('every edit of a device is applied once or reported, whatever is lost or repeated', async (t) => {
  const seed = Date.now() % 1_000_000
  const random = randomFrom(seed)
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const shared: number[] = []
  for (let number = 0; number < 5; number++) shared.push((await director.post('contracts/', { folio: `SHARED-${number}` })).json().id)
  const faults: string[] = []
  let made = 0

  /** Sends random edits. Answers are lost, requests repeated, divided otherwise, or sent twice at once. @returns the results by mutation */
  async function use (name: string): Promise<Map<Mutation, any>> {
    const device = randomUUID()
    const results = new Map<Mutation, any>()
    const queue: Mutation[] = []
    let last = 0
    let acknowledged = 0

    function edit (): Mutation {
      const id = ++last
      const ref = `${name}-${id}`
      const own = queue.findLast(({ op, ref }) => op === 'create' && ref !== undefined)
      const record = random() < 0.3 && own !== undefined ? { ref: own['ref'] } : pick(shared, random)
      return random() < 0.4
        ? { id, op: 'create', resource: 'contracts', ref, body: { folio: random() < 0.2 ? 'SHARED-0' : ref } }
        : { id, op: 'update', resource: 'contracts', record, body: { descripcion: `edit ${++made}` } }
    }

    /** @param isLost whether the device gets no answer */
    async function send (mutations: Mutation[], isLost: boolean): Promise<void> {
      const { statusCode, body } = await director.post('mutations/', { device, acknowledged, mutations })
      if (statusCode !== 200) faults.push(`${statusCode} ${body}`)
      if (isLost) return
      for (const [index, { replayed, ...result }] of JSON.parse(body).results.entries()) {
        const mutation = mutations[index] as Mutation
        const before = results.get(mutation)
        if (before !== undefined && JSON.stringify(before) !== JSON.stringify(result)) faults.push(`${JSON.stringify(before)} became ${JSON.stringify(result)}`)
        results.set(mutation, result)
      }
    }

    for (let round = 0; round < 25; round++) {
      for (let count = Math.floor(random() * 4); count > 0; count--) queue.push(edit())
      const some = queue.slice(0, 1 + Math.floor(random() * 6))
      if (some.length === 0) continue
      const times = random() < 0.2 ? 2 : 1
      await Promise.all(Array.from({ length: times }, async () => await send(some, random() < 0.3)))
      while (queue[0] !== undefined && results.has(queue[0]) && random() < 0.7) acknowledged = (queue.shift() as Mutation).id
    }
    while (queue.some(mutation => !results.has(mutation))) await send(queue.slice(0, 200), random() < 0.3)
    return results
  }

  const all = await Promise.all(['a', 'b', 'c', 'd'].map(use))
  t.strictSame(faults, [], `seed ${seed}`)
  const results = all.flatMap(one => [...one])
  t.ok(results.length > 60)
  for (const [mutation, { status, record }] of results) {
    if (mutation.op !== 'create') continue
    const rows = await psql('select id from contracts where folio = $1', [(mutation['body'] as { folio: string }).folio])
    if (status === 201) t.same(rows, [{ id: record.id }], `seed ${seed}: created once`)
    else t.match({ status, rows }, { status: 400, rows: [{ id: shared[0] }] })
  }
  // Each edit has another text, so each application of one raises the version.
  const applied = Map.groupBy(results.filter(([{ op }, { status }]) => op === 'update' && status === 200), ([, { record }]) => record.id as number)
  for (const { id, version } of await psql("select id, version from contracts where folio like 'SHARED-%' or folio ~ '^[abcd]-'")) t.equal(version, 1 + (applied.get(id)?.length ?? 0), `seed ${seed}: contract ${id}`)
})
