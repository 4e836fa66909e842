import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'
import { wrongSums } from '../../../../../support/wrong-sums.ts'

const later = { estado: ['Another estimate of the contract was authorized later. Undo its authorization first.'] }

t.test('undoing the authorization of an estimate', async (t) => {
  const { director, as, contract, estimate, send, change, read, psql } = await estimating(t)
  const sumsOf = async (id: number) => {
    const { monto_estimado: estimado, por_estimar: left } = (await director.get(`contracts/${id}/`)).json()
    return [estimado, left, ...await psql('select vivas, monto, autorizado, amortizacion from contract_sums where contract_id = $1', [id])]
  }

  await t.test('gives back its part of the contract and of the advance, to the cent', async (t) => {
    const id = await contract({ anticipo_porcentaje: '33.33', retencion_porcentaje: '5' })
    await estimate(id, { monto: '333.35' }, 'autorizada')
    const sent = await estimate(id, { monto: '333.37', deductivas: '0.01' }, 'enviada')
    const before = await sumsOf(id)
    const authorized = await change(sent['id'], { estado: 'autorizada' })
    t.not(JSON.stringify(await sumsOf(id)), JSON.stringify(before))
    const undone = await change(sent['id'], { estado: 'enviada' })
    t.same(await sumsOf(id), before)
    t.match(undone, { ...sent, version: authorized['version'] + 1, updated_at: undone['updated_at'] })
    t.strictSame(await read(sent['id']), undone)
    t.same(await wrongSums(psql), [])
  })

  await t.test('lets its amounts follow the present contract, and its draft be edited', async (t) => {
    const id = await contract({ anticipo_porcentaje: '50' })
    const { id: first } = await estimate(id, { monto: '400' }, 'autorizada')
    t.equal((await read(first))['amortizacion'], '200.00')
    await director.send('PATCH', `contracts/${id}/`, { anticipo_porcentaje: '10' })
    t.equal((await read(first))['amortizacion'], '200.00', 'fixed while it is authorized')
    t.match(await change(first, { estado: 'enviada' }), { amortizacion: '100.00', anticipo_porcentaje: '50.00' }, 'the advance is now 10 %')
    t.equal((await send(first, { monto: '500' })).statusCode, 409)
    await change(first, { estado: 'borrador' })
    t.match(await change(first, { monto: '500', descripcion: 'Corregida' }), { monto: '500.00', amortizacion: '100.00' })
    for (const estado of ['enviada', 'autorizada']) await change(first, { estado })
    t.same((await sumsOf(id)).slice(0, 2), ['500.00', '500.00'])
  })

  await t.test('is possible even if the contract no longer allows the authorization', async (t) => {
    const id = await contract({ anticipo_porcentaje: '0' })
    const { id: only } = await estimate(id, { monto: '100', deductivas: '90' }, 'autorizada')
    await director.send('PATCH', `contracts/${id}/`, { monto: '100', estado: 'terminado' })
    t.match(await change(only, { estado: 'enviada' }), { estado: 'enviada', subtotal: '10.00' })
    await director.send('PATCH', `contracts/${id}/`, { monto: '50' })
    refuses(t, await send(only, { estado: 'autorizada' }), { monto: ['The authorized total would exceed the amount of the contract.'] })
  })

  await t.test('is possible only for the last authorization of the contract', async (t) => {
    const id = await contract()
    const [one, two, three] = [await estimate(id, { monto: '1' }, 'enviada'), await estimate(id, { monto: '1' }, 'enviada'), await estimate(id, { monto: '0' }, 'enviada')]
    for (const { id } of [two, three, one]) await change(id, { estado: 'autorizada' })
    await estimate(await contract(), { monto: '1' }, 'autorizada')
    for (const { id } of [two, three]) refuses(t, await send(id, { estado: 'enviada' }), later)
    t.strictSame((await send(two['id'], { estado: 'enviada' }, 'es')).json().errors, { estado: ['Otra estimación del contrato se autorizó después. Deshaga primero su autorización.'] })
    for (const { id } of [one, three]) await change(id, { estado: 'enviada' })
    await change(three['id'], { estado: 'autorizada' })
    refuses(t, await send(two['id'], { estado: 'enviada' }), later, 'the new authorization is the last one')
    await change(three['id'], { estado: 'pagada' })
    refuses(t, await send(two['id'], { estado: 'enviada' }), later, 'also after its payment')
    t.same(await wrongSums(psql), [])
  })

  await t.test('is one of several items of a bulk, in their order', async (t) => {
    const id = await contract({ monto: '100' })
    const [one, two] = [await estimate(id, { monto: '60', external_id: 'u-1' }, 'autorizada'), await estimate(id, { monto: '40', external_id: 'u-2' }, 'autorizada')]
    const bulk = async (...items: Array<[string, string]>) => await director.post('estimates/bulk/', { upsert: 'external_id', items: items.map(([name, estado]) => ({ contract: id, external_id: name, estado })) })
    refuses(t, await bulk(['u-1', 'enviada'], ['u-2', 'enviada']), { 'items.0.estado': later.estado })
    t.match((await bulk(['u-2', 'enviada'], ['u-1', 'enviada'])).json().results, [{ estado: 'enviada' }, { estado: 'enviada' }])
    const { id: other } = await estimate(id, { monto: '50', external_id: 'u-3' }, 'enviada')
    await change(one['id'], { estado: 'autorizada' })
    refuses(t, await bulk(['u-3', 'autorizada'], ['u-1', 'enviada']), { 'items.0.monto': ['The authorized total would exceed the amount of the contract.'] })
    t.equal((await bulk(['u-1', 'enviada'], ['u-3', 'autorizada'])).statusCode, 201)
    t.match([await read(one['id']), await read(two['id']), await read(other)].map(({ estado }) => estado), ['enviada', 'enviada', 'autorizada'])
    t.same(await wrongSums(psql), [])
  })

  await t.test('needs a Director', async (t) => {
    const coordinador = await as('coordinador@demo.example')
    const { id, contract: of } = await estimate(await contract(), { monto: '1' }, 'autorizada')
    for (const method of ['PATCH', 'PUT'] as const) {
      const refused = await coordinador.send(method, `estimates/${id}/`, { contract: of, estado: 'enviada' })
      t.match([refused.statusCode, refused.json().code], [403, 'permission_denied'])
    }
    const bulk = await coordinador.post('estimates/bulk/', { upsert: 'external_id', items: [{ contract: of, external_id: 'nueva' }] })
    t.equal(bulk.statusCode, 201)
    t.equal((await read(id))['estado'], 'autorizada')
  })

  await t.test('concurrent with another authorization: the order decides, and the sums are right', async (t) => {
    for (let round = 0; round < 6; round++) {
      const id = await contract({ monto: '100', anticipo_porcentaje: '50' })
      const { id: authorized } = await estimate(id, { monto: '60' }, 'autorizada')
      const { id: sent } = await estimate(id, { monto: '60' }, 'enviada')
      const [undo, authorization] = await Promise.all(round % 2 === 0
        ? [send(authorized, { estado: 'enviada' }), send(sent, { estado: 'autorizada' })]
        : [send(sent, { estado: 'autorizada' }), send(authorized, { estado: 'enviada' })].reverse())
      t.equal(undo.statusCode, 200, 'the other one does not fit before')
      t.ok([200, 400].includes(authorization.statusCode))
      t.same((await sumsOf(id))[0], authorization.statusCode === 200 ? '60.00' : '0.00')
      t.same(await wrongSums(psql), [])
    }
  })

  await t.test('twice at the same time happens once', async (t) => {
    for (let round = 0; round < 4; round++) {
      const id = await contract()
      const { id: first } = await estimate(id, { monto: '10' }, 'autorizada')
      const { id: second } = await estimate(id, { monto: '20' }, 'autorizada')
      const answers = await Promise.all([first, second, second, first].map(async id => await send(id, { estado: 'enviada' })))
      t.equal(answers[1].statusCode, 200)
      for (const answer of answers) if (answer.statusCode !== 200) t.strictSame(answer.json().errors, later)
      const states = [await read(first), await read(second)].map(({ estado }) => estado)
      t.same((await sumsOf(id))[0], states[0] === 'enviada' ? '0.00' : '10.00')
      t.equal(states[1], 'enviada')
      t.same(await wrongSums(psql), [])
    }
  })
})
