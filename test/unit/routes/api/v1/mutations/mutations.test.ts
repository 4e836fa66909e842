import { randomUUID } from 'node:crypto'
import t from 'tap'
import { resources } from '../../../../../../src/domain/resources.ts'
import { build, type Client } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

t.test('mutations', async (t) => {
  const { as, psql } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  const coordinador = await as('coordinador@demo.example')

  /** A device that counts its mutations. */
  function device (client: Client = director) {
    const id = randomUUID()
    let last = 0
    const send = async (mutations: object[], rest: object = {}) => await client.post('mutations/', { device: id, mutations, ...rest })
    /** Sends mutations with new ids. @returns their results without ids */
    const run = async (...mutations: object[]) => {
      const answer = await send(mutations.map(mutation => ({ id: ++last, ...mutation })))
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return answer.json().results.map(({ id, ...result }: { id: number }) => result)
    }
    return { id, send, run }
  }
  const get = async (path: string) => (await director.get(path)).json()
  const make = async (folio: string, body: object = {}) => (await director.post('contracts/', { folio, ...body })).json()

  await t.test('run in order, each with its own result', async (t) => {
    const { run } = device()
    const [created, changed, refused, estimate, removed] = await run(
      { op: 'create', resource: 'contracts', ref: 'c1', body: { folio: 'MUT-1', monto: 100.5 } },
      { op: 'update', resource: 'contracts', record: { ref: 'c1' }, body: { descripcion: 'x' } },
      { op: 'create', resource: 'contracts', body: { folio: 'MUT-1', monto: '-1', color: 'x' } },
      { op: 'create', resource: 'estimates', body: { contract: { ref: 'c1' }, monto: '1.00' } },
      { op: 'delete', resource: 'contracts', record: { ref: 'c1' } }
    )
    t.match(created, { status: 201, record: { version: 1 } })
    t.strictSame(changed, { status: 200, record: { id: created.record.id, version: 2 } })
    t.strictSame(refused, { status: 400, ...invalid({ monto: ['Ensure this value is greater than or equal to 0.'], color: ['Unknown field.'], folio: ['This field must be unique.'] }) })
    t.match(estimate, { status: 201 })
    t.match(removed, { status: 409, code: 'protected', detail: 'This contract cannot be deleted while it has estimates (1).' })
    t.match(await get(`contracts/${created.record.id}/`), { folio: 'MUT-1', monto: '100.50', descripcion: 'x', version: 2 })
    t.match(await get(`estimates/${estimate.record.id}/`), { contract: created.record.id, monto: '1.00' })
    t.match(await run({ op: 'create', resource: 'contracts', body: { folio: 'MUT-2', parent: { ref: 'c1' } } }, { op: 'delete', resource: 'estimates', record: estimate.record.id }), [{ status: 201 }, { status: 204 }], 'a ref of an earlier request')
  })

  await t.test('run once, however often they are sent', async (t) => {
    const { send, id } = device()
    const mutations = [{ id: 1, op: 'create', resource: 'contracts', ref: 'a', body: { folio: 'MUT-3' } }, { id: 2, op: 'create', resource: 'contracts', body: { folio: 'MUT-3' } }]
    const first = (await send(mutations)).json().results
    t.match(first, [{ id: 1, status: 201, replayed: undefined }, { id: 2, status: 400 }])
    await director.send('DELETE', `contracts/${first[0].record.id}/`)
    const again = (await send([...mutations, { id: 3, op: 'create', resource: 'contracts', body: { folio: 'MUT-4' } }])).json().results
    t.strictSame(again.slice(0, 2), first.map((result: object) => ({ ...result, replayed: true })), 'also the refused one')
    t.match(again[2], { id: 3, status: 201 })
    t.match((await send([{ ...mutations[0], body: { folio: 'MUT-5' } }])).json().results, [{ id: 1, status: 422, code: 'idempotency_mismatch' }])
    const late = (await send([mutations[1] as object, { id: 3, op: 'delete', resource: 'contracts', record: 1 }], { acknowledged: 2 })).json().results
    t.match(late, [{ id: 2, status: 409, code: 'already_acknowledged' }, { id: 3, status: 422 }])
    t.match((await send([mutations[1] as object])).json().results, [{ id: 2, status: 409, code: 'already_acknowledged' }], 'for good')
    t.same(await psql('select id::int from mutations where device_id = $1', [id]), [{ id: 3 }])
    t.equal((await get('contracts/?search=mut')).results.filter(({ folio }: { folio: string }) => folio === 'MUT-3').length, 0)
  })

  await t.test('of several requests at once are still run once', async (t) => {
    const { send } = device()
    const answers = await Promise.all(Array.from({ length: 6 }, async () => await send([{ id: 1, op: 'create', resource: 'contracts', body: { folio: 'MUT-6' } }])))
    const results = answers.map(answer => answer.json().results[0])
    t.equal(new Set(results.map(({ record }) => record.id)).size, 1)
    t.equal(results.filter(({ replayed }) => replayed === undefined).length, 1)
  })

  await t.test('change different fields of a record, and are refused for the same field', async (t) => {
    const { id } = await make('MUT-7', { monto: '100.00', descripcion: 'old' })
    const { run } = device()
    const update = async (base: object, body: object) => (await run({ op: 'update', resource: 'contracts', record: id, base, body }))[0]
    await director.send('PATCH', `contracts/${id}/`, { monto: '130.00' })
    t.match(await update({ descripcion: 'old', monto: '1.00' }, { descripcion: 'new' }), { status: 200 }, 'a base of a field that is not edited does not matter')
    t.match(await update({ monto: '100.00', descripcion: 'new' }, { monto: '120.00', descripcion: 'newer' }), {
      status: 409, code: 'conflict', fields: { monto: { base: '100.00', current: '130.00', yours: '120.00' }, descripcion: undefined }, record: { id }
    })
    t.match(await get(`contracts/${id}/`), { monto: '130.00', descripcion: 'new' }, 'nothing of it is written')
    t.match(await update({ monto: '100' }, { monto: '130' }), { status: 200 }, 'the same new value')
    t.match(await update({ monto: 130 }, { monto: '140.00' }), { status: 200 }, 'amounts are compared by value')
    t.match(await update({}, { monto: '150.00' }), { status: 200 }, 'without a base, the last writer wins')
    t.match(await update({ monto: 'x', color: 1 }, { monto: '160.00' }), { status: 400, errors: { 'base.monto': [/number/], 'base.color': ['Unknown field.'] } })
  })

  await t.test('compare references by id', async (t) => {
    const [one, two] = [(await director.post('contrapartes/', { nombre: 'MUT-A' })).json(), (await director.post('contrapartes/', { nombre: 'MUT-B' })).json()]
    const { id } = await make('MUT-8', { contraparte: one.id })
    const { run } = device()
    t.match(await run({ op: 'update', resource: 'contracts', record: id, base: { contraparte: 'MUT-A' }, body: { contraparte: two.id } }), [{ status: 200 }])
    t.match(await run({ op: 'update', resource: 'contracts', record: id, base: { contraparte: one.id }, body: { contraparte: null } }), [{ status: 409, fields: { contraparte: { base: one.id, current: two.id, yours: null } } }])
    t.match(await run({ op: 'update', resource: 'contracts', record: id, base: { contraparte: one.id }, body: { contraparte: 'MUT-B' } }), [{ status: 200 }])
  })

  await t.test('delete what is there, in the version that the device has seen', async (t) => {
    const { id } = await make('MUT-9')
    const { run } = device()
    const [{ id: foreign }] = await psql("select id from contracts where company_id <> (select company_id from users where email = 'director@demo.example') limit 1") as [{ id: number }]
    const remove = { op: 'delete', resource: 'contracts' }
    t.match(await run({ ...remove, record: id, version: 2 }, { ...remove, record: id, version: 1 }, { ...remove, record: id }, { ...remove, record: 999_999_999 }, { ...remove, record: foreign }), [{ status: 412, code: 'precondition_failed' }, { status: 204 }, { status: 204 }, { status: 204 }, { status: 204 }])
    t.same(await psql('select count(*)::int as n from contracts where id = any ($1)', [[id, foreign]]), [{ n: 1 }])
    t.match(await run({ op: 'update', resource: 'contracts', record: foreign, body: { monto: '1' } }), [{ status: 404 }])
  })

  await t.test('that refer to a refused, unknown or other kind of record get 424', async (t) => {
    const { run } = device()
    const failed = { status: 424, code: 'dependency_failed' }
    t.match(await run(
      { op: 'create', resource: 'contracts', ref: 'bad', body: {} },
      { op: 'create', resource: 'estimates', body: { contract: { ref: 'bad' } } },
      { op: 'update', resource: 'contracts', record: { ref: 'none' }, body: { monto: '1' } },
      { op: 'create', resource: 'contrapartes', ref: 'p', body: { nombre: 'MUT-C' } },
      { op: 'create', resource: 'contracts', body: { folio: 'MUT-10', parent: { ref: 'p' } } },
      { op: 'create', resource: 'contracts', ref: 'p', body: { folio: 'MUT-10' } },
      { op: 'create', resource: 'contracts', ref: 'bad', body: { folio: 'MUT-10' } }
    ), [{ status: 400, errors: { folio: ['This field is required.'] } }, failed, failed, { status: 201 }, failed, { status: 400, errors: { ref: ['This field must be unique.'] } }, { status: 201 }])
    t.match(await device().run({ op: 'delete', resource: 'contracts', record: { ref: 'bad' } }), [failed], 'refs belong to their device')
  })

  await t.test('need the level of their operation', async (t) => {
    const { id } = await make('MUT-11')
    const auxiliar = await as('auxiliar@demo.example')
    t.match(await device(auxiliar).run({ op: 'create', resource: 'contracts', body: {} }, { op: 'delete', resource: 'contracts', record: id }), [{ status: 403, code: 'permission_denied' }, { status: 403 }])
    const { run, send } = device(coordinador)
    t.match(await run({ op: 'update', resource: 'contracts', record: id, body: { monto: '5.00' } }, { op: 'delete', resource: 'contracts', record: id }, { op: 'update', resource: 'estimates', record: 1, body: { estado: 'autorizada' } }), [{ status: 200 }, { status: 403 }, { status: 403 }])
    await psql("update users set nivel_acceso = 4 where email = 'coordinador@demo.example'")
    t.match((await send([{ id: 2, op: 'delete', resource: 'contracts', record: id }])).json().results, [{ status: 403, replayed: true }], 'remembered')
    await psql("update users set nivel_acceso = null where email = 'coordinador@demo.example'")
  })

  await t.test('of a device of another user or company are refused', async (t) => {
    const { id, run } = device()
    await run({ op: 'create', resource: 'contracts', body: {} })
    for (const client of [coordinador, await as('director@otra.example')]) {
      const answer = await client.post('mutations/', { device: id, mutations: [{ id: 1, op: 'create', resource: 'contracts', body: {} }] })
      t.equal(answer.statusCode, 403)
      t.match(answer.json(), { code: 'device_taken' })
    }
  })

  await t.test('of a wrong shape are refused together, and nothing is remembered', async (t) => {
    const { id, send } = device()
    const answer = await send([
      { id: 1, op: 'create', resource: 'contracts', record: 1, body: {} }, { id: 1, op: 'update', resource: 'contracts', record: 'x', body: {} }, { id: 2, op: 'delete', resource: 'users', record: 1, base: {} }, { op: 'delete' }, { id: 3, op: 'update', resource: 'contracts' }
    ], { acknowledged: -1, other: 1 })
    t.equal(answer.statusCode, 400)
    t.strictSame(answer.json().errors, {
      other: ['Unknown field.'],
      acknowledged: ['Ensure this value is greater than or equal to 0.'],
      'mutations.1.record': ['Incorrect type. Expected pk value, received str.'],
      'mutations.2.resource': [`"users" is not a valid choice. Valid choices: ${resources.map(({ name }) => name).join(', ')}.`],
      'mutations.3.id': ['This field is required.'],
      'mutations.3.resource': ['This field is required.'],
      'mutations.0.record': ['Unknown field.'],
      'mutations.1.id': ['This field must be unique.'],
      'mutations.2.base': ['Unknown field.'],
      'mutations.3.record': ['This field is required.'],
      'mutations.4.record': ['This field is required.'],
      'mutations.4.body': ['This field is required.']
    })
    t.same(await psql('select from devices where id = $1', [id]), [])
    t.equal((await director.post('mutations/', { device: 'x', mutations: [] })).json().errors.device.length, 1)
    t.match((await send(Array.from({ length: 201 }, (_, n) => ({ id: n + 1, op: 'delete', resource: 'contracts', record: 1 })))).json().errors, { mutations: ['Ensure this field has no more than 200 elements.'] })
  })

  await t.test('with unusual values are refused by themselves, or with their request, and never fail it', async (t) => {
    const { run, send } = device()
    const bodies = ['{"contract":{"ref":"\\u0000"}}', '{"zzz":{"ref":"a\\u0000"}}', '{"constructor":{"ref":"x"}}', '{"toString":{"ref":"x"}}', '{"a\\nb":1}', '{"contract":{"ref":""}}', '{"folio":{"ref":"x"}}', '{"contract":1e400}']
    for (const body of bodies) {
      const [result] = await run({ op: 'create', resource: 'estimates', body: JSON.parse(body.replaceAll('\\\\', '\\')) })
      t.equal(result.status, 400, body)
      t.not(Object.keys(result.errors).length, 0, body)
    }
    const raw = async (mutation: string) => await director.post('mutations/', `{"device":"${randomUUID()}","mutations":[${mutation}]}`, { 'content-type': 'application/json' })
    const deep = `${'['.repeat(6000)}${']'.repeat(6000)}`
    for (const [mutation, field] of [
      [`{"id":1,"op":"create","resource":"contracts","body":{"folio":${deep}}}`, 'mutations.0'],
      ['{"id":1,"op":"delete","resource":"contracts","record":1,"version":99999999999999999999999}', 'mutations.0.version'],
      ['{"id":1,"op":"create","resource":"contracts","body":1.50}', 'mutations.0.body'],
      ['{"id":1,"op":"create","resource":"contracts","ref":" c ","body":{}}', 'mutations.0.ref'],
      ['{"id":1e3,"op":"create","resource":"contracts","body":{}}', 'mutations.0.id']
    ] as const) {
      const answer = await raw(mutation)
      t.equal(answer.statusCode, 400, mutation.slice(0, 100))
      t.same(Object.keys(answer.json().errors), [field])
    }
    t.equal((await send([{ id: 99, op: 'delete', resource: 'contracts', record: 999_999 }])).statusCode, 200)
  })

  await t.test('are 200 at once, with results in Spanish', async (t) => {
    const { id } = device()
    const mutations = Array.from({ length: 200 }, (_, n) => n % 2 === 0 ? { id: n + 1, op: 'create', resource: 'contracts', ref: `r${n}`, body: { folio: `MANY-${n}` } } : { id: n + 1, op: 'update', resource: 'contracts', record: { ref: `r${n - 1}` }, base: { monto: '0.00' }, body: { monto: `${n}.00` } })
    const answer = await director.post('mutations/', { device: id, mutations }, { 'accept-language': 'es' })
    t.strictSame(answer.json().results.map(({ status }: { status: number }) => status), mutations.map((_, n) => n % 2 === 0 ? 201 : 200))
    t.match((await director.post('mutations/', { device: id, mutations: [{ id: 201, op: 'create', resource: 'contracts', body: {} }] }, { 'accept-language': 'es' })).json().results, [{ errors: { folio: ['Este campo es requerido.'] } }])
  })
})
