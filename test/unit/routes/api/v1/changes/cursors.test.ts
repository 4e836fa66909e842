import fc from 'fast-check'
import t from 'tap'
import { resources } from '../../../../../../src/domain/resources.ts'
import { Device, type Page } from '../../../../../support/device.ts'
import { build } from '../../../../../support/helper.ts'

// form, company, resources, revision, stamp, after, ids; in the snapshot or the log also phase, resource, id
const printed = (parts: unknown[]) => parts.map(part => typeof part === 'number' ? part.toString(36) : String(part)).join('.')
const partsOf = (cursor: string): unknown[] => cursor.split('.').map((part, place) => [3, 4, 5].includes(place) ? Number.parseInt(part, 36) : part)

t.test('cursors of the change feed', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const [{ company }] = await psql("select company_id as company from users where email = 'director@demo.example'") as [{ company: number }]
  const read = async (cursor: string, rest = '') => await director.get(`changes/?cursor=${encodeURIComponent(cursor)}${rest}`)
  const synced = async () => {
    const device = new Device(director.get)
    await device.sync()
    return device.cursor as string
  }

  await t.test('an invalid cursor is refused, with other problems of the request', async (t) => {
    const parts = partsOf(await synced())
    const wrong = ['x', '', '{}', 'x.1', 'x.-1.', `${await synced()}=`, printed(parts.slice(0, 6)), ...[3, 4, 5].flatMap(place => ['-1', 'A', '1_', '', (2 ** 53).toString(36)].map(value => printed(parts.with(place, value)))),
      ...['1', '1-2', '1-2-3-4', '1-2-', '1-2-x y', ''].map(ids => printed(parts.with(6, ids))), printed(parts.with(2, 'contracts-contrapartes')), printed(parts.with(2, 'contracts')), printed([...parts, 'snapshot', 'users', 1]), printed([...parts, 'other', 'contracts', 1]), printed([...parts, 'changes', 'contracts']), printed([...parts, 'changes', 'a\0b', 1]), printed(parts.with(5, (parts[5] as number) + 1))]
    for (const cursor of wrong) {
      const answer = await read(cursor)
      t.match(answer, { statusCode: 400 }, cursor)
      t.same(answer.json().errors, { cursor: ['Invalid cursor'] })
    }
    t.same((await read('x', '&page_size=1001&resources=users&other=1')).json().errors, {
      page_size: ['Ensure this value is less than or equal to 1000.'], resources: [`"users" is not a valid choice. Valid choices: ${resources.map(({ name }) => name).join(', ')}.`], other: ['Unknown query parameter.']
    })
    t.same((await read(await synced(), '&resources=contracts')).json().errors, { resources: ['The cursor belongs to other resources.'] })
    t.equal((await read(await synced(), '&resources=estimates,contracts,contrapartes')).statusCode, 200, 'in any order')
  })

  await t.test('any text gets a clear answer, and never records of others', async () => {
    const parts = partsOf(await synced())
    const value = fc.oneof(fc.integer(), fc.maxSafeNat(), fc.string(), fc.constant(null), fc.array(fc.maxSafeNat(), { maxLength: 4 }), fc.constantFrom('snapshot', 'changes', 'contracts', 'a\0b'))
    const changed = fc.array(fc.tuple(fc.nat({ max: 9 }), value), { minLength: 1, maxLength: 3 }).map(changes => printed(changes.reduce<unknown[]>((all, [place, one]) => {
      const copy = [...all]
      copy[place] = one
      return copy
    }, parts)))
    await fc.assert(fc.asyncProperty(fc.oneof(changed, fc.string()), async (cursor) => {
      const answer = await read(cursor)
      const { changes = [] } = answer.json() as Partial<Page>
      return [200, 400, 409, 410].includes(answer.statusCode) && changes.every(({ record }) => record === undefined || record['company'] === company)
    }), { numRuns: 200 })
  })

  await t.test('a cursor of another company is refused with 409', async (t) => {
    const other = await as('director@otra.example')
    const { cursor } = (await other.get('changes/')).json()
    t.match((await read(cursor)).json(), { code: 'company_changed', detail: 'The cursor belongs to another company than your active one.' })
    t.equal((await read(cursor)).statusCode, 409)
    t.match((await director.get(`changes/?cursor=${cursor}`, { 'accept-language': 'es' })).json(), { detail: 'El cursor pertenece a otra empresa que la activa.' })
  })

  await t.test('a cursor of another release is refused with 410', async (t) => {
    const answer = await read(printed(partsOf(await synced()).with(0, 'x')))
    t.equal(answer.statusCode, 410)
    t.strictSame(answer.json(), { detail: 'This cursor cannot be continued. Start without a cursor and replace all records.', code: 'resync', reason: 'schema' })
  })

  await t.test('a revision with another stamp, or one that the database has not reached, is refused with 410', async (t) => {
    const cursor = await synced()
    await director.post('contracts/', { folio: 'CURSOR-1' })
    t.equal((await read(cursor)).statusCode, 200)
    const parts = partsOf(cursor)
    t.match([(await read(printed(parts.with(4, parts[4] as number + 1)))).json(), (await read(printed(parts.with(3, parts[3] as number + 100).with(5, parts[5] as number + 100)))).json()], [{ reason: 'forked' }, { reason: 'forked' }])
    t.equal((await read(printed(parts.with(3, 0).with(4, 0).with(5, 0)))).statusCode, 200, 'a client without records')
  })

  await t.test('a purged revision continues, unless a delete after it is purged', async (t) => {
    const [{ id }, { id: gone }] = [(await director.post('contracts/', { folio: 'CURSOR-2' })).json(), (await director.post('contracts/', { folio: 'CURSOR-3' })).json()]
    await director.send('PATCH', `contracts/${id}/`, { monto: '1.00' })
    const cursor = await synced()
    await director.send('PATCH', `contracts/${id}/`, { monto: '2.00' })
    const purge = async () => await psql("select removed from purge_changes($1, -1, '', 0, 1000)", [company])
    const age = async (days: number) => await psql('update changes set changed_at = changed_at - make_interval(days => $2) where company_id = $1', [company, days])

    // Ages move the stamps, which the cursor has.
    const aged = (days: number) => printed(partsOf(cursor).with(4, (partsOf(cursor)[4] as number) - days * 86_400_000_000))
    await age(8)
    await purge()
    t.same(await psql('select from changes where company_id = $1 and revision = $2', [company, partsOf(cursor)[3]]), [], 'the revision of the cursor is purged')
    t.match((await read(aged(8))).json(), { changes: [{ id, record: { monto: '2.00' } }] })
    t.match((await read(cursor)).json(), { reason: 'forked' }, 'with its own stamp only')

    await director.send('DELETE', `contracts/${gone}/`)
    t.match((await read(aged(8))).json().changes, [{ id }, { id: gone, deleted: true }])
    await age(101)
    await purge()
    const answer = await read(aged(8), '&page_size=1') // not the page in the cache, which has the deletion
    t.equal(answer.statusCode, 410)
    t.match(answer.json(), { code: 'resync', reason: 'truncated' })
    t.equal((await read(await synced())).statusCode, 200)
  })

  await t.test('a revision that the purge no longer knows is truncated, not forked', async (t) => {
    const parts = partsOf(await synced())
    const old = (parts[4] as number) - 101 * 86_400_000_000
    t.match((await read(printed(parts.with(3, 1).with(4, old).with(5, 1)))).json(), { code: 'resync', reason: 'truncated' })
  })
})
