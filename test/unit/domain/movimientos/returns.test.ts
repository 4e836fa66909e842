import { randomUUID } from 'node:crypto'
import t from 'tap'
import { refuses } from '../../../support/invalid.ts'
import { wrongSums } from '../../../support/wrong-sums.ts'
import { charge, moving } from './moving.ts'

const message = 'More would be returned than authorized estimates of the contract have taken with the same tipo and antes_iva.'
const returnsMore = { importe: [message] }

t.test('returns of what was taken', async (t) => {
  const { director, as, contract, estimate, send, change, post, move, patch, movement, authorize, read, psql } = await moving(t)
  const giveBack = { sentido: 'abono' }
  /** A contract whose authorized estimate has taken 100.00 as a penalty after tax, and a draft. */
  const taken = async () => {
    const of = await contract({ monto: '10000' })
    const { id: first } = await estimate(of, { monto: '1000' })
    await move(first, { importe: '100' })
    await authorize(first)
    return { of, first, draft: (await estimate(of, { monto: '1000' }))['id'] as number }
  }
  const left = async (of: number) => await psql('select tipo, antes_iva, tomado from movement_sums where contract_id = $1 order by 1, 2', [of])

  await t.test('need the same kind, tax and contract, and an authorization', async (t) => {
    const { of, draft } = await taken()
    const other = (await estimate(await contract(), { monto: '10' }))['id']
    for (const [estimate, fields] of [[draft, { tipo: 'otro' }], [draft, { antes_iva: true }], [other, {}]] as const) refuses(t, await post(estimate, { ...giveBack, importe: '0.01', ...fields }), returnsMore)
    t.strictSame((await post(draft, { ...giveBack, importe: '100.01' }, 'es')).json().codes, { importe: ['returns_more'] })
    refuses(t, await post(draft, { ...giveBack, porcentaje: '10.001' }), returnsMore, 'a percentage of 1000.00')
    await move(draft, { importe: '500' })
    const part = await move(draft, { ...giveBack, importe: '60' })
    refuses(t, await post(draft, { ...giveBack, importe: '40.01' }), returnsMore, 'together with the other one of the draft')
    refuses(t, await patch(part['id'], { importe: '100.01' }), returnsMore)
    t.match((await patch(part['id'], { importe: '100' })).json(), { importe: '100.00' })
    t.match((await patch(part['id'], { motivo: 'Otro', importe: '40' })).json(), { importe: '40.00' })
    t.match(await move(draft, { ...giveBack, porcentaje: '6' }), { importe: '60.00' })
    t.match(await authorize(draft), { cargos_despues_iva: '400.00' })
    t.match(await left(of), [{ tipo: 'pena', antes_iva: false, tomado: '500.00' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('of two drafts are checked again at the authorization', async (t) => {
    const { of, draft } = await taken()
    const second = (await estimate(of, { monto: '1000' }))['id']
    for (const id of [draft, second]) await move(id, { ...giveBack, importe: '60' })
    await authorize(draft)
    await change(second, { estado: 'enviada' })
    refuses(t, await send(second, { estado: 'autorizada' }), { estado: [message] })
    await t.rejects(psql("update estimates set estado = 'autorizada' where id = $1", [second]), { code: '23514', constraint: 'estimates_returns' })
    await change(draft, { estado: 'enviada' })
    t.match(await change(second, { estado: 'autorizada' }), { cargos_despues_iva: '-60.00' })
    t.match(await left(of), [{ tomado: '40.00' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('of two estimates in one bulk are checked in order', async (t) => {
    const { of, draft } = await taken()
    const second = (await estimate(of, { monto: '1000' }))['id']
    for (const id of [draft, second]) {
      await move(id, { ...giveBack, importe: '60' })
      await change(id, { estado: 'enviada', external_id: `DEVUELVE-${id}` })
    }
    const items = [draft, second].map(id => ({ external_id: `DEVUELVE-${id}`, contract: of, estado: 'autorizada' }))
    refuses(t, await director.post('estimates/bulk/', { upsert: 'external_id', items }), { 'items.1.estado': [message] })
    t.match(await read(draft), { estado: 'enviada' })
  })

  await t.test('of the guarantee fund include the retention, before or after tax', async (t) => {
    const of = await contract({ monto: '10000', retencion_porcentaje: '5' })
    const { id: first } = await estimate(of, { monto: '1000' })
    await move(first, { tipo: 'fondo_garantia', antes_iva: true, importe: '20' })
    await authorize(first)
    const { id } = await estimate(of, { monto: '1000' })
    refuses(t, await post(id, { ...giveBack, tipo: 'fondo_garantia', importe: '1' }), returnsMore)
    refuses(t, await post(id, { ...giveBack, tipo: 'fondo_garantia', antes_iva: true, importe: '70.01' }), returnsMore)
    refuses(t, await post(id, { ...giveBack, tipo: 'retencion', antes_iva: true, importe: '1' }), returnsMore)
    await move(id, { ...giveBack, tipo: 'fondo_garantia', antes_iva: true, importe: '70' })
    t.match(await authorize(id), { cargos_antes_iva: '-70.00', retencion: '50.00', subtotal: '1020.00' })
    t.match(await left(of), [{ tipo: 'fondo_garantia', antes_iva: true, tomado: '50.00' }], 'the retention of the second one')
    const { id: last } = await estimate(of, { monto: '0' })
    await move(last, { ...giveBack, tipo: 'fondo_garantia', antes_iva: true, importe: '50' })
    await authorize(last)
    await change(last, { estado: 'enviada' })
    await change(id, { estado: 'enviada' })
    t.match(await left(of), [{ tomado: '70.00' }])
    t.same(await wrongSums(psql), [])
  })

  await t.test('a penalty against retained money is one return and one charge', async (t) => {
    const { of, draft } = await taken()
    await move(draft, { ...giveBack, importe: '100' })
    await move(draft, { tipo: 'otro', importe: '100' })
    t.match(await authorize(draft), { cargos_despues_iva: '0.00', neto: '1160.00' })
    t.match(await left(of), [{ tipo: 'otro', tomado: '100.00' }, { tipo: 'pena', tomado: '0.00' }])
  })

  await t.test('of one bulk are accepted up to what is left', async (t) => {
    const { draft } = await taken()
    const item = (fields: object) => ({ ...charge, estimate: draft, ...giveBack, ...fields })
    const bulk = async (body: object) => await director.post('movimientos/bulk/', body)
    refuses(t, await bulk({ items: [item({ importe: '60' }), item({ sentido: 'cargo', importe: '900' }), item({ importe: '40.01' })] }), { 'items.2.importe': [message] })
    const partial = await bulk({ partial: true, items: [item({ importe: '60' }), item({ importe: '50' }), item({ porcentaje: '4' }), item({ importe: '0.01' })] })
    t.match(partial.json().results, [{ importe: '60.00' }, { codes: { importe: ['returns_more'] } }, { importe: '40.00' }, { codes: { importe: ['returns_more'] } }])
    const many = await bulk({ items: Array.from({ length: 500 }, () => item({ sentido: 'cargo', importe: '0.10' })) })
    t.equal(many.statusCode, 201, many.body.slice(0, 300))
    t.match(await read(draft), { cargos_despues_iva: '-50.00' })
    t.same(await wrongSums(psql), [])
  })

  await t.test('an undo leaves drafts that no longer fit, which fail at their authorization', async (t) => {
    const { first, draft } = await taken()
    const { id } = await move(draft, { ...giveBack, importe: '100' })
    await change(first, { estado: 'enviada' })
    t.equal((await patch(id, { motivo: 'Otro' })).statusCode, 200)
    await move(draft, { importe: '5' })
    refuses(t, await patch(id, { importe: '99' }), returnsMore)
    const again = await director.post('movimientos/bulk/', { items: [{ ...await movement(id), external_id: 'IGUAL' }] })
    refuses(t, again, { 'items.0.importe': [message] })
    await change(draft, { estado: 'enviada' })
    refuses(t, await send(draft, { estado: 'autorizada' }), { estado: [message] })
  })

  await t.test('the database refuses the same for any writer', async (t) => {
    const { of, first, draft } = await taken()
    const insert = async (id: number, values: string) =>
      await psql(`insert into movimientos (company_id, estimate_id, motivo, tipo, sentido, antes_iva, importe, porcentaje, base) select 1, $1, 'Directo', v.* from (values ${values}) v returning contract_id`, [id])
    const violates = (constraint: string) => ({ code: '23514', constraint })
    await t.rejects(insert(draft, "('pena', 'abono', false, 100.01, null::numeric, 'monto')"), violates('movimientos_returns'))
    await t.rejects(insert(draft, "('pena', 'abono', false, 60, null::numeric, 'monto'), ('pena', 'abono', false, null, 5, 'monto')"), violates('movimientos_returns'))
    await t.rejects(insert(draft, "('pena', 'cargo', false, 1, 1, 'monto')"), violates('movimientos_one'))
    await t.rejects(insert(draft, "('pena', 'cargo', false, null::numeric, null::numeric, 'monto')"), violates('movimientos_one'))
    await t.rejects(insert(draft, "('pena', 'cargo', false, 0, null::numeric, 'monto')"), violates('movimientos_amount_check'))
    await t.rejects(insert(draft, "('pena', 'cargo', true, null::numeric, 1, 'iva')"), violates('movimientos_tax_check'))
    await t.rejects(insert(first, "('pena', 'cargo', false, 1, null::numeric, 'monto')"), violates('movimientos_writable'))
    t.same(await insert(draft, "('pena', 'abono', false, 60, null::numeric, 'monto'), ('pena', 'abono', false, null, 4, 'monto')"), [{ contract_id: of }, { contract_id: of }])
    await t.rejects(psql('update movimientos set importe = 61 where estimate_id = $1 and importe = 60', [draft]), violates('movimientos_returns'))
    await t.rejects(psql('update movimientos set importe = 1 where estimate_id = $1 and importe is null', [draft]), violates('movimientos_one'))
    t.match(await read(draft), { cargos_despues_iva: '-100.00' })
    await t.rejects(psql('update estimates set derechos = 1 where id = $1', [first]), violates('estimates_fixed'))
    t.same(await wrongSums(psql), [])
  })

  await t.test('change feed and history by their caller, and come from offline apps', async (t) => {
    const { of, draft } = await taken()
    const corporativo = await as('corporativo@demo.example')
    const { cursor } = (await director.get(`changes/?contracts=${of}&resources=estimates,movimientos`)).json()
    const device = randomUUID()
    let next = 0
    const run = async (...mutations: object[]) => (await corporativo.post('mutations/', { device, mutations: mutations.map(mutation => ({ id: ++next, ...mutation })) })).json().results
    const body = { ...charge, estimate: draft, porcentaje: '2' }
    const results = await run({ op: 'create', resource: 'movimientos', ref: 'm1', body }, { op: 'create', resource: 'movimientos', body: { ...body, ...giveBack, porcentaje: null, importe: '100.01' } }, { op: 'update', resource: 'movimientos', record: { ref: 'm1' }, body: { motivo: 'Dos por ciento' } })
    t.match(results, [{ status: 201 }, { status: 400, codes: { importe: ['returns_more'] } }, { status: 200 }])
    const { id } = results[0].record
    const { changes } = (await director.get(`changes/?cursor=${cursor}`)).json()
    const stored = changes.find(({ resource }: { resource: string }) => resource === 'movimientos').record
    t.match(stored, { id, motivo: 'Dos por ciento', porcentaje: '2.000000' })
    t.notOk('importe' in stored, 'the amount of a percentage is not stored before the authorization')
    await change(draft, { estado: 'enviada' })
    await corporativo.send('PATCH', `estimates/${draft}/`, { estado: 'autorizada' })
    const later = (await director.get(`changes/?cursor=${cursor}`)).json().changes
    t.match(later.find(({ resource }: { resource: string }) => resource === 'movimientos').record, { id, importe: '20.00', version: 3 })
    t.match(later.find(({ resource }: { resource: string }) => resource === 'estimates').record, { cargos_antes_iva: '0.00', cargos_despues_iva: '20.00', derechos: '0.00' })
    const me = (await corporativo.get('me/')).json().id
    const [entry] = (await director.get(`history/?resource=movimientos&record=${id}`)).json().results
    t.match(entry, { operation: 'update', user: { id: me }, fields: { importe: [null, '20.00'] } })
    const [late] = await run({ op: 'create', resource: 'movimientos', body })
    t.match(late, { status: 409, code: 'conflict' })
    const unnamed = (await director.get(`changes/?contracts=${of}`)).json().changes
    t.notOk(unnamed.some(({ resource }: { resource: string }) => resource === 'movimientos'), 'a client that does not name movimientos does not get them')
  })

  await t.test('are found by estimate, contract, kind, direction and reason', async (t) => {
    const { of, draft } = await taken()
    await move(draft, { tipo: 'impuesto', motivo: 'Retención de ISR', importe: '1' })
    await move(draft, { ...giveBack, motivo: 'Devolución', importe: '2' })
    const amounts = async (query: string) => (await director.get(`movimientos/?contract=${of}&ordering=id&${query}`)).json().results.map(({ importe }: { importe: string }) => importe)
    t.strictSame(await amounts(''), ['100.00', '1.00', '2.00'])
    t.strictSame(await amounts(`estimate=${draft}`), ['1.00', '2.00'])
    t.strictSame(await amounts('tipo=pena'), ['100.00', '2.00'])
    t.strictSame(await amounts('sentido=abono'), ['2.00'])
    t.strictSame(await amounts('search=retencion isr'), ['1.00'])
  })

  await t.test('need level 2, and a record of the company', async (t) => {
    const { draft } = await taken()
    const body = { ...charge, estimate: draft, importe: '1' }
    t.equal((await (await as('auxiliar@demo.example')).post('movimientos/', body)).statusCode, 403)
    const coordinador = await as('coordinador@demo.example')
    const made = await coordinador.post('movimientos/', body)
    t.equal(made.statusCode, 201)
    t.equal((await coordinador.send('DELETE', `movimientos/${made.json().id}/`)).statusCode, 204)
    t.strictSame((await (await as('director@otra.example')).post('movimientos/', body)).json().codes, { estimate: ['does_not_exist'] })
  })

  await t.test('an authorization needs the version that the Director saw', async (t) => {
    const { draft } = await taken()
    await change(draft, { estado: 'enviada' })
    const seen = await director.get(`estimates/${draft}/`)
    await change(draft, { estado: 'borrador' })
    await move(draft, { importe: '1' })
    await change(draft, { estado: 'enviada' })
    t.equal((await director.send('PATCH', `estimates/${draft}/`, { estado: 'autorizada' }, { 'if-match': String(seen.headers['etag']) })).statusCode, 412)
  })
})

t.test('concurrent returns and authorizations never return more than was taken', async (t) => {
  const { contract, estimate, send, change, post, move, authorize, psql } = await moving(t)
  for (let round = 0; round < 6; round++) {
    const of = await contract({ monto: '10000' })
    const { id: first } = await estimate(of, { monto: '1000' })
    await move(first, { importe: '100' })
    await authorize(first)
    const drafts = await Promise.all([0, 1, 2].map(async () => (await estimate(of, { monto: '1000' }))['id'] as number))
    const posted = await Promise.all(drafts.flatMap(id => [0, 1].map(async () => await post(id, { sentido: 'abono', importe: '60' }))))
    t.same(posted.map(({ statusCode }) => statusCode).sort(), [201, 201, 201, 400, 400, 400], 'one for each draft')
    for (const id of drafts) await change(id, { estado: 'enviada' })
    const answers = await Promise.all(drafts.map(async id => await send(id, { estado: 'autorizada' })))
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
    t.same(await psql('select tomado from movement_sums where contract_id = $1', [of]), [{ tomado: '40.00' }])
  }
  t.same(await wrongSums(psql), [])
})
