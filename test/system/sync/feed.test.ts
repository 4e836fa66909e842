import t from 'tap'
import { resources } from '../../../src/domain/resources.ts'
import { usualOf } from '../../../src/resources/feed/cursor.ts'
import { pick, randomFrom } from '../../support/trial/random.ts'
import { build } from '../../support/helper.ts'
import { Device } from '../../support/device.ts'
import { restore, save } from './restore.ts'

const all = usualOf(resources)

t.test('devices have the state of the server, whatever changes it', async (t) => {
  const seed = Date.now() % 1_000_000
  const random = randomFrom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const [{ company }] = await psql('select company_id as company from contracts where id = 1') as [{ company: number }]
  const named = [undefined, undefined, 'contracts', 'contrapartes,estimates', undefined]
  const devices = named.map(wanted => new Device(director.get, wanted))
  let number = 0

  async function idOf (resource: string): Promise<number> {
    const rows = await psql(`select id from ${resource} where company_id = $1 order by id`, [company])
    return rows[below(rows.length)]?.['id'] ?? 0
  }

  const writes: Array<() => Promise<unknown>> = [
    async () => await director.post('contracts/', { folio: `S-${number++}`, monto: '10.00' }),
    async () => await director.post('contrapartes/', { nombre: `S ${number++}` }),
    async () => await director.post('estimates/', { contract: await idOf('contracts'), monto: '1.00' }),
    async () => await director.send('PATCH', `contracts/${await idOf('contracts')}/`, { descripcion: `${number++}` }),
    async () => await director.send('PATCH', `estimates/${await idOf('estimates')}/`, { estado: pick(['enviada', 'autorizada', 'cancelada'], random) }),
    async () => await director.send('DELETE', `contracts/${await idOf('contracts')}/`),
    async () => await director.send('DELETE', `contrapartes/${await idOf('contrapartes')}/`),
    async () => await director.send('DELETE', `estimates/${await idOf('estimates')}/`),
    async () => await director.post('contracts/bulk/', { items: Array.from({ length: 1 + below(20) }, () => ({ folio: `S-${number++}` })) }),
    async () => await psql('update companies set nombre = $2 where id = $1', [company, `S ${number++}`]),
    async () => await psql('update contracts set descripcion = $2 where company_id = $1 and id % 3 = 0', [company, `${number++}`])
  ]
  const write = async () => await pick(writes, random)()

  /** Compares a device that has the state of a revision with the database. */
  async function check (device: Device, wanted = all.join()): Promise<void> {
    const expected: Record<string, number> = {}
    for (const resource of wanted.split(',')) {
      for (const { id, version, at } of await psql(`select id, version, stamp_of(updated_at) as at from ${resource} where company_id = $1`, [company])) expected[`${resource}/${id}`] = at + version / 100
    }
    const own = Object.fromEntries([...device.records].map(([key, { version, updated_at: at }]) => [key, Date.parse(String(at)) * 1000 + Number(String(at).slice(23, -1)) + version / 100]))
    t.strictSame(own, expected, `seed ${seed}`)
    t.equal(device.revision, (await psql('select revision from company_revisions where company_id = $1', [company]))[0]?.['revision'])
    t.strictSame(device.faults, [], `seed ${seed}`)
  }

  await save(psql)
  for (let round = 0; round < 100; round++) {
    const place = below(devices.length)
    const device = devices[place]
    if (round !== 30 && round !== 60 && below(40) === 0) await save(psql)
    // At some rounds in any case, so that a device meets a restored database.
    else if (round === 30 || round === 60 || below(25) === 0) await restore(psql)
    else for (let times = below(4); times > 0; times--) await write()
    if (await device.step(pick([1, 5, 20, 1000], random))) await check(device, named[place])
  }
  for (const [place, device] of devices.entries()) {
    while (!await device.step(pick([5, 20, 1000], random))) if (below(3) === 0) await write()
    await check(device, named[place])
  }
  t.ok(devices.some(({ resyncs }) => resyncs.includes('forked')), 'a device met a restored database')

  // Writes and reads at the same time.
  const writers = { areWriting: true }
  const writing = Promise.all([1, 2].map(async () => {
    for (let times = 0; times < 30; times++) await write()
  })).then(() => { writers.areWriting = false })
  await Promise.all(devices.map(async (device) => {
    while (writers.areWriting) await device.step(pick([1, 5, 20], random))
  }))
  await writing
  for (const [place, device] of devices.entries()) {
    await device.sync()
    await check(device, named[place])
  }
})
