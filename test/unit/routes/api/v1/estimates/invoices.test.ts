import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

const taken = { factura_uuid: ['Another estimate that is neither rejected nor cancelled has this factura_uuid. Cancel or reject it, or clear its factura_uuid.'] }

t.test('the invoice of an estimate', async (t) => {
  const { as, director, contract, estimate, send, change, psql } = await estimating(t)
  const post = async (id: number, fields: object, language = 'en') => await director.post('estimates/', { contract: id, ...fields }, { 'accept-language': language })
  const refused = (answer: LightMyRequestResponse, what: string) => {
    refuses(t, answer, taken, what)
  }
  const having = async (factura: string) => (await psql("select estado from estimates where factura_uuid = $1 and estado not in ('rechazada', 'cancelada')", [factura])).length

  await t.test('belongs to one live estimate of the company, on any contract and in any spelling', async (t) => {
    const [one, other] = [await contract(), await contract()]
    const factura = randomUUID()
    const first = await estimate(one, { factura_uuid: factura })
    for (const id of [one, other]) refused(await post(id, { factura_uuid: factura }), 'another estimate')
    refused(await post(one, { factura_uuid: factura.toUpperCase().replaceAll('-', '') }), 'another spelling')
    t.strictSame((await post(one, { factura_uuid: factura }, 'es')).json().errors, { factura_uuid: ['Otra estimación que no está rechazada ni cancelada tiene este factura_uuid. Cancélela o rechácela, o quítele su factura_uuid.'] })
    const second = await estimate(other, { factura_uuid: randomUUID() })
    refused(await send(second['id'], { factura_uuid: factura }), 'a change')
    t.match(await change(first['id'], { factura_uuid: factura, descripcion: 'x' }), { descripcion: 'x' }, 'its own estimate keeps it')

    t.match(await change(first['id'], { factura_uuid: null }), { factura_uuid: null })
    t.match(await change(second['id'], { factura_uuid: factura }), { factura_uuid: factura }, 'it is available when cleared')
    t.equal(await having(factura), 1)
  })

  await t.test('of another company does not count', async (t) => {
    const factura = randomUUID()
    await estimate(await contract(), { factura_uuid: factura })
    const superuser = await as('superusuario@demo.example')
    await superuser.send('PATCH', 'me/', { company: 2 })
    const { id } = (await superuser.post('contracts/', { folio: 'FACTURA-1', monto: '10.00' })).json()
    const answer = await superuser.post('estimates/', { contract: id, factura_uuid: factura })
    t.equal(answer.statusCode, 201)
    t.match(answer.json(), { company: 2, factura_uuid: factura })
  })

  await t.test('of a rejected or cancelled estimate is available, and is checked again when it becomes live', async (t) => {
    const id = await contract()
    const factura = randomUUID()
    await estimate(id, { factura_uuid: factura }, 'cancelada')
    const rejected = await estimate(id, { factura_uuid: factura }, 'rechazada')
    const taker = await estimate(id, { factura_uuid: factura })
    refused(await send(rejected['id'], { estado: 'borrador' }), 'live again')
    refused(await send(rejected['id'], { estado: 'borrador', factura_uuid: factura }), 'live again with the same invoice')
    t.match(await change(rejected['id'], { descripcion: 'still rejected' }), { estado: 'rechazada', factura_uuid: factura })
    await change(taker['id'], { estado: 'cancelada' })
    t.match(await change(rejected['id'], { estado: 'borrador' }), { estado: 'borrador', factura_uuid: factura })
    for (const state of ['enviada', 'autorizada', 'pagada']) {
      const later = randomUUID()
      await estimate(await contract(), { factura_uuid: later }, state)
      refused(await post(id, { factura_uuid: later }), state)
    }
  })

  await t.test('goes to one of several concurrent creates and changes', async (t) => {
    for (let round = 0; round < 3; round++) {
      const id = await contract()
      const factura = randomUUID()
      const drafts: number[] = []
      for (let n = 0; n < 5; n++) drafts.push((await estimate(id))['id'])
      const answers = await Promise.all([
        ...round === 1 ? [] : drafts.map(async draft => await send(draft, { factura_uuid: factura })),
        ...round === 0 ? [] : drafts.map(async () => await post(id, { factura_uuid: factura }))
      ])
      t.equal(answers.filter(({ statusCode }) => statusCode === 200 || statusCode === 201).length, 1)
      for (const answer of answers.filter(({ statusCode }) => statusCode >= 300)) refused(answer, 'concurrent')
      t.equal(await having(factura), 1)
    }
  })

  await t.test('goes to one of several estimates that become live together', async (t) => {
    const id = await contract()
    const factura = randomUUID()
    const rejected: number[] = []
    for (let n = 0; n < 4; n++) rejected.push((await estimate(id, { factura_uuid: factura }, 'rechazada'))['id'])
    const answers = await Promise.all(rejected.map(async one => await send(one, { estado: 'borrador' })))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400])
    for (const answer of answers.filter(({ statusCode }) => statusCode === 400)) refused(answer, 'live again')
    t.equal(await having(factura), 1)
  })

  await t.test('goes to the first item of a bulk, and of mutations', async (t) => {
    const id = await contract()
    const [one, two] = [randomUUID(), randomUUID()]
    const items = [{ factura_uuid: one }, { factura_uuid: two }, { factura_uuid: one }, {}, {}].map((item, index) => ({ contract: id, external_id: `F-${index}`, ...item }))
    const bulk = await director.post('estimates/bulk/', { items })
    t.equal(bulk.statusCode, 400)
    t.strictSame(bulk.json().errors, { 'items.2.factura_uuid': taken.factura_uuid })
    t.equal((await director.post('estimates/bulk/', { items: items.toSpliced(2, 1) })).statusCode, 201)

    const upsert = async (changes: object[]) => await director.post('estimates/bulk/', { upsert: 'external_id', items: changes.map(change => ({ contract: id, ...change })) })
    const three = randomUUID()
    const both = await upsert([{ external_id: 'F-3', factura_uuid: three }, { external_id: 'F-4', factura_uuid: three }])
    t.equal(both.statusCode, 400)
    t.strictSame(both.json().errors, { 'items.1.factura_uuid': taken.factura_uuid })
    const moved = await upsert([{ external_id: 'F-0', factura_uuid: three }, { external_id: 'F-1', factura_uuid: one }])
    t.equal(moved.statusCode, 201, 'an item can take what an earlier one has given back')
    t.match(moved.json().results, [{ factura_uuid: three }, { factura_uuid: one }])
    const early = await upsert([{ external_id: 'F-0', factura_uuid: one }, { external_id: 'F-1', factura_uuid: two }])
    t.strictSame(early.json().errors, { 'items.0.factura_uuid': taken.factura_uuid }, 'but not what a later one gives back')

    const create = (n: number) => ({ id: n, op: 'create', resource: 'estimates', body: { contract: id, factura_uuid: two } })
    const { results } = (await director.post('mutations/', { device: randomUUID(), mutations: [create(1), create(2)] })).json()
    t.match(results, [{ status: 201 }, { status: 400, errors: taken }])
  })

  await t.test('that several live estimates have from before can still be edited, and is free when one remains', async (t) => {
    const id = await contract()
    const factura = randomUUID()
    const made = []
    for (let n = 0; n < 3; n++) made.push((await estimate(id, { monto: '1.00' }))['id'])
    await psql('alter table estimates disable trigger guard_update')
    await psql('update estimates set factura_uuid = $1 where contract_id = $2', [factura, id])
    await psql('alter table estimates enable trigger guard_update')
    t.match(await change(made[0], { monto: '2.00', factura_uuid: factura }), { monto: '2.00', factura_uuid: factura })
    t.match(await change(made[0], { estado: 'enviada' }), { estado: 'enviada' })
    refused(await post(id, { factura_uuid: factura }), 'a further one')
    const cancelled = await Promise.all([made[1], made[2]].map(async one => await send(one, { estado: 'cancelada' })))
    t.strictSame(cancelled.map(({ statusCode }) => statusCode), [200, 200])
    t.equal(await having(factura), 1)
  })

  await t.test('is one also for psql', async (t) => {
    const id = await contract()
    const factura = randomUUID()
    const first = await estimate(id, { factura_uuid: factura })
    const [second, rejected] = [await estimate(id), await estimate(id, { factura_uuid: factura }, 'rechazada').catch(() => undefined)]
    t.equal(rejected, undefined)
    const taken = { code: '23514', constraint: 'estimates_factura_uuid_taken' }
    await t.rejects(psql('update estimates set factura_uuid = $1 where id = $2', [factura, second['id']]), taken)
    await t.rejects(psql('insert into estimates (company_id, contract_id, monto, factura_uuid) select company_id, contract_id, 0, factura_uuid from estimates where id = $1', [first['id']]), taken)
    await psql('update estimates set factura_uuid = case id when $1 then null else $3::uuid end where id in ($1, $2)', [first['id'], second['id'], factura])
    t.equal(await having(factura), 1, 'one statement can pass it on')
  })

  await t.test('filters the list', async (t) => {
    const id = await contract()
    const factura = randomUUID()
    const cancelled = await estimate(id, { factura_uuid: factura }, 'cancelada')
    const live = await estimate(id, { factura_uuid: factura })
    await estimate(id, { factura_uuid: randomUUID() })
    for (const text of [factura, factura.toUpperCase(), factura.replaceAll('-', '')]) {
      const { count, results } = (await director.get(`estimates/?factura_uuid=${text}`)).json()
      t.same({ count, ids: results.map((one: { id: number }) => one.id) }, { count: 2, ids: [cancelled['id'], live['id']] }, text)
    }
    t.equal((await director.get(`estimates/?factura_uuid=${randomUUID()}`)).json().count, 0)
    for (const wrong of ['x', '1', 'null', '']) {
      const answer = await director.get(`estimates/?factura_uuid=${wrong}`)
      t.equal(answer.statusCode, 400, wrong)
      t.same(Object.keys(answer.json().errors), ['factura_uuid'])
    }
  })
})
