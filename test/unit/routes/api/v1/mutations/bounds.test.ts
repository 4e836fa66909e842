import { randomUUID } from 'node:crypto'
import t from 'tap'
import { maxDevices, maxResults } from '../../../../../../src/resources/mutations/devices.ts'
import { build, type Client } from '../../../../../support/helper.ts'

t.test('what devices can store is bounded', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const [director, coordinador, auxiliar] = [await as('director@demo.example'), await as('coordinador@demo.example'), await as('auxiliar@demo.example')]
  const send = async (client: Client, device: string, mutations: object[], rest: object = {}, headers = {}) => await client.post('mutations/', { device, mutations, ...rest }, headers)
  const stored = async () => (await psql('select (select count(*)::int from devices) as devices, (select count(*)::int from mutations) as results'))[0]
  const userOf = async (client: Client) => (await client.get('me/')).json() as { id: number, company: number }
  const create = (id: number, folio = `L-${id}`) => ({ id, op: 'create', resource: 'contracts', body: { folio } })
  const setLevel = async (id: number, level: number) => await psql('update memberships set nivel_acceso = $1 where user_id = $2', [level, id])

  await t.test('a request with nothing that the user may do gets its results and stores nothing', async (t) => {
    const before = await stored()
    const { id: contract } = (await director.post('contracts/', { folio: 'LEIDO' })).json()
    const mutations = [create(1), { id: 2, op: 'update', resource: 'contracts', record: contract, body: { monto: '1.00' } }, { id: 3, op: 'delete', resource: 'contracts', record: contract }]
    const { cursor } = (await auxiliar.get('changes/?page_size=1000')).json()
    for (const device of [randomUUID(), randomUUID()]) {
      const answer = await send(auxiliar, device, mutations, { cursor })
      const refused = { status: 403, code: 'permission_denied' }
      t.match([answer.statusCode, answer.json().results], [200, [{ id: 1, ...refused }, { id: 2, ...refused }, { id: 3, ...refused }]])
      t.type(answer.json().cursor, 'string')
      t.equal((await send(auxiliar, device, mutations)).json().results[0].replayed, undefined)
    }
    t.strictSame((await send(auxiliar, randomUUID(), [create(1)], {}, { 'accept-language': 'es' })).json().results[0].detail, 'Usted no tiene permiso para realizar esta acción.')
    t.match((await send(coordinador, randomUUID(), [{ id: 1, op: 'delete', resource: 'contracts', record: contract }])).json().results, [{ status: 403 }], 'deletes of a level that may edit')
    t.equal((await send(auxiliar, randomUUID(), [create(1)], { cursor: 'x' })).statusCode, 400)
    t.strictSame(await stored(), before)
    t.match((await director.get(`contracts/${contract}/`)).json(), { version: 1 })
  })

  await t.test('a mutation that ran at a higher level keeps its result, also beside refused ones', async (t) => {
    const device = randomUUID()
    const { id } = await userOf(coordinador)
    const [first] = (await send(coordinador, device, [create(1, 'ANTES'), create(2, 'ANTES')])).json().results
    await setLevel(id, 1)
    const again = (await send(coordinador, device, [create(1, 'ANTES'), create(2, 'OTRO'), create(3)])).json().results
    t.match(again, [{ ...first, replayed: true }, { id: 2, status: 422 }, { id: 3, status: 403 }])
    t.match((await send(coordinador, device, [create(1, 'ANTES')], { acknowledged: 1 })).json().results, [{ ...first, replayed: true }], 'only a stored acknowledgement counts')
    t.match((await send(auxiliar, device, [create(1)])).json(), { code: 'device_taken' })
    await setLevel(id, 2)
    t.match((await send(coordinador, device, [create(1, 'ANTES'), create(3, 'DESPUES')])).json().results, [{ ...first, replayed: true }, { id: 3, status: 201 }], 'a refusal that is not stored does not last')
    t.equal((await psql("select from contracts where folio in ('ANTES', 'DESPUES')")).length, 2)
  })

  await t.test('a device with many unacknowledged results must acknowledge them', async (t) => {
    const device = randomUUID()
    await send(director, device, [create(1, 'R-1')])
    await psql('insert into mutations (device_id, company_id, id, digest, result) select device_id, company_id, n, digest, result from mutations, generate_series(2, $2::int) n where device_id = $1', [device, maxResults - 1])
    t.match((await send(director, device, [create(maxResults, 'R-2')])).json().results, [{ status: 201 }])
    const full = await send(director, device, [create(maxResults + 1, 'R-3')])
    t.match([full.statusCode, full.json()], [409, { code: 'too_many_results', detail: 'The server keeps 1000 results of this device, or 1 MiB. Send the id of the last result that the device has stored as `acknowledged`.' }])
    t.match((await send(director, device, [create(1001, 'R-3')], {}, { 'accept-language': 'es' })).json().detail, /^El servidor guarda 1000 resultados/)
    t.match((await send(director, device, [create(maxResults, 'R-2')])).json().results, [{ status: 201, replayed: true }], 'stored results are still answered')
    t.match((await send(director, device, [create(maxResults + 1, 'R-3')], { acknowledged: maxResults })).json().results, [{ status: 201 }])

    const after = async () => (await psql('select count(*)::int as n from mutations where device_id = $1', [device]))[0]?.['n']
    t.equal(await after(), 1)
    t.strictSame((await send(director, device, [], { acknowledged: maxResults + 1 })).json(), { results: [] })
    t.equal(await after(), 0, 'a request without mutations acknowledges the last results')
    t.match((await send(director, device, [create(maxResults + 1, 'R-3')])).json().results, [{ code: 'already_acknowledged' }])
    const { devices } = await stored() as { devices: number }
    for (const client of [director, auxiliar]) t.strictSame((await send(client, randomUUID(), [], { acknowledged: 1 })).json(), { results: [] })
    t.match((await send(auxiliar, device, [], { acknowledged: 1 })).json(), { code: 'device_taken' })
    t.match(await stored(), { devices }, 'it registers no device')
    t.match((await send(director, device, [])).json().errors, { mutations: ['Ensure this field has at least 1 elements.'] })

    const large = randomUUID()
    await send(director, large, [create(1, 'G-1')])
    await psql("update mutations set result = (select string_agg(md5(n::text), '') from generate_series(1, 70000) n) where device_id = $1", [large])
    t.match((await send(director, large, [create(2, 'G-2')])).json(), { code: 'too_many_results' })
    t.match((await send(director, large, [create(2, 'G-2')], { acknowledged: 1 })).json().results, [{ status: 201 }])
  })

  await t.test('a user has a limited number of devices in a company', async (t) => {
    const { id, company } = await userOf(director)
    await psql('insert into devices (id, user_id, company_id) select gen_random_uuid(), $1, $2 from generate_series(1, $3::int - (select count(*)::int from devices where user_id = $1 and company_id = $2))', [id, company, maxDevices - 1])
    const last = randomUUID()
    t.match((await send(director, last, [create(1, 'D-1')])).json().results, [{ status: 201 }])
    const before = await stored()
    const refused = await send(director, randomUUID(), [create(1, 'D-2')])
    t.match([refused.statusCode, refused.json()], [403, { code: 'too_many_devices', detail: 'You have used 100 devices in this company. Use one of them. A device that was not used for a day makes room when it has acknowledged its results; any other is forgotten after 100 days.' }])
    t.match((await send(director, randomUUID(), [create(1, 'D-2')], {}, { 'accept-language': 'es' })).json().detail, /^Ha usado 100 dispositivos/)
    t.strictSame(await stored(), before)
    t.match((await send(director, last, [create(2, 'D-2')])).json().results, [{ status: 201 }], 'a known device goes on')
    t.match((await send(coordinador, randomUUID(), [create(1, 'D-3')])).json().results, [{ status: 201 }], 'other users have their own')
    t.match((await send(coordinador, last, [create(3, 'D-4')])).json(), { code: 'device_taken' })
  })

  await t.test('a new device takes the place of the one that was idle longest and has acknowledged all results', async (t) => {
    const { id, company } = await userOf(director)
    const [waiting, idle, refs, next] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await psql("update devices set used_at = clock_timestamp() - interval '23 hours' where user_id = $1 and company_id = $2", [id, company])
    t.match((await send(director, next, [create(1, 'I-1')])).json(), { code: 'too_many_devices' }, 'all were used within a day')
    await psql('delete from devices d where user_id = $1 and company_id = $2 and id in (select id from devices where user_id = $1 and company_id = $2 and not exists (select from mutations m where m.device_id = devices.id) limit 3)', [id, company])
    for (const [device, folio] of [[waiting, 'I-2'], [idle, 'I-3'], [refs, 'I-4']] as const) await send(director, device, [{ ...create(1, folio), ref: 'c1' }])
    await psql('delete from mutations where device_id = any ($1::uuid[])', [[idle, refs]])
    for (const [device, days] of [[waiting, 30], [idle, 3], [refs, 2]]) await psql('update devices set used_at = clock_timestamp() - make_interval(days => $2) where id = $1', [device, days])
    t.match((await send(director, next, [create(1, 'I-1')])).json().results, [{ status: 201 }])
    const left = async () => (await psql('select d.id, (select count(*)::int from device_refs f where f.device_id = d.id) as refs from devices d where id = any ($1::uuid[])', [[waiting, idle, refs, next]])).map(({ id, refs }) => [id, refs])
    t.strictSame((await left()).sort(), [[waiting, 1], [refs, 1], [next, 0]].sort(), 'the one with a result that it has not acknowledged stays, and the one that was used later')
    t.match((await send(director, idle, [create(2, 'I-5')], { acknowledged: 1 })).json().results, [{ status: 201 }], 'it comes back as a new one')
    t.strictSame((await left()).sort(), [[waiting, 1], [idle, 0], [next, 0]].sort())
    t.match((await send(director, waiting, [{ ...create(1, 'I-2'), ref: 'c1' }])).json().results, [{ status: 201, replayed: true }])
    t.match((await send(director, randomUUID(), [create(1, 'I-6')])).json(), { code: 'too_many_devices' })
  })
})
