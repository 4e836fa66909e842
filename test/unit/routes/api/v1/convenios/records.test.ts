import { randomUUID } from 'node:crypto'
import t from 'tap'
import { agreeing } from '../../../../../support/agreeing.ts'
import { refuses } from '../../../../../support/invalid.ts'
import { wrongSums } from '../../../../../support/wrong-sums.ts'

const conflict = { detail: 'Only the last change order of a contract can be deleted, and only while it is a "borrador".', code: 'conflict' }

t.test('records of change orders', async (t) => {
  const { director, contract, convenio, to, get, psql } = await agreeing(t)
  const remove = async (id: number) => await director.send('DELETE', `convenios/${id}/`)

  await t.test('have numbers within their contract, and only the last draft can be deleted', async (t) => {
    const [id, other] = [await contract(), await contract()]
    const made = [await convenio(id), await convenio(id), await convenio(other)]
    t.same(made.map(({ numero }) => numero), [1, 2, 1])
    const refused = await remove(made[0]?.['id'])
    t.strictSame([refused.statusCode, refused.json()], [409, conflict])
    t.equal((await remove(made[1]?.['id'])).statusCode, 204)
    t.equal((await convenio(id))['numero'], 2)
    for (const state of ['enviado', 'autorizado', 'firmado', 'rechazado', 'cancelado']) {
      const answer = await remove((await convenio(await contract(), {}, state))['id'])
      t.strictSame([answer.statusCode, answer.json()], [409, conflict], state)
    }
    t.equal((await remove(999_999)).statusCode, 404)
    const moved = await director.send('PATCH', `convenios/${made[0]?.['id']}/`, { contract: other })
    refuses(t, moved, { contract: ['This field cannot be changed.'] })
  })

  await t.test('protect their contract', async (t) => {
    const id = await contract()
    await convenio(id, {}, 'cancelado')
    await convenio(id)
    const refusal = async (language: string) => (await director.send('DELETE', `contracts/${id}/`, undefined, { 'accept-language': language })).json()
    t.match(await refusal('en'), { detail: /while it has change orders \(2\)\./, code: 'protected' })
    t.match(await refusal('es'), { detail: /mientras tenga convenios \(2\)\./, code: 'protected' })
  })

  await t.test('have negative amounts and terms up to their limits', async (t) => {
    const id = await contract()
    t.match(await convenio(id, { monto: '-9999999999999999.99', dias: -36_500 }), { monto: '-9999999999999999.99', dias: -36_500 })
    t.match(await convenio(id, { monto: -0.5 }), { monto: '-0.50' })
  })

  await t.test('can be filtered, ordered and searched', async (t) => {
    const id = await contract()
    const made = [await convenio(id, { folio: 'CM-Ñandú', monto: '5' }, 'firmado'), await convenio(id, { descripcion: 'Muro de contención', monto: '-7' }), await convenio(id, { monto: '6' }, 'cancelado')]
    const numbers = async (query: string) => (await get(`convenios/?contract=${id}&${query}`))['results'].map(({ numero }: { numero: number }) => numero)
    t.equal(made.length, 3)
    t.same(await numbers('ordering=-numero'), [3, 2, 1])
    t.same(await numbers('ordering=monto'), [2, 1, 3])
    t.same(await numbers('ordering=-fecha_firma,numero&estado=firmado'), [1])
    t.same(await numbers('search=contencion'), [2])
    t.same(await numbers('search=nandu'), [1])
    t.same(await numbers('estado=borrador'), [2])
    const list = await get(`convenios/?contract=${id}`)
    t.same(list['results'].filter((item: object) => 'avisos' in item), [], 'a list has no percentages and warnings')
  })

  await t.test('are written in bulk, in order', async (t) => {
    const id = await contract({ fecha_fin: '2026-12-31' })
    const items = Array.from({ length: 40 }, (_, n) => ({ contract: id, external_id: `B-${n}`, monto: '10', dias: 1 }))
    const made = await director.post('convenios/bulk/', { items })
    t.same([made.statusCode, made.json().results.map(({ numero }: { numero: number }) => numero)], [201, items.map((_, n) => n + 1)])
    const change = async (fields: object, some = items, more = {}) => await director.post('convenios/bulk/', { upsert: 'external_id', items: some.map(item => ({ ...item, ...fields })), ...more })
    for (const estado of ['enviado', 'autorizado']) t.equal((await change({ estado, fecha_autorizacion: '2026-04-20' })).statusCode, 201)
    t.match(await get(`contracts/${id}/`), { monto: '1000.00', extra_autorizado: '400.00' })
    t.equal((await change({ estado: 'firmado', fecha_firma: '2026-05-04', fecha_autorizacion: '2026-04-20' })).statusCode, 201)
    t.match(await get(`contracts/${id}/`), { monto: '1400.00', monto_original: '1000.00', extra_autorizado: '0.00', fecha_fin: '2027-02-09' })
    const refused = await change({ monto: '11' }, items.slice(0, 2))
    t.equal(refused.statusCode, 409)

    const two = await contract({ monto: '100' })
    const [less, more] = [await convenio(two, { external_id: 'less', monto: '-150' }, 'autorizado'), await convenio(two, { external_id: 'more', monto: '60' }, 'autorizado')]
    t.same([less['numero'], more['numero']], [1, 2])
    const signed = (external: string) => ({ contract: two, external_id: external, estado: 'firmado', fecha_firma: '2026-05-04' })
    const wrong = await director.post('convenios/bulk/', { upsert: 'external_id', items: [signed('less'), signed('more')] })
    t.same(Object.keys(wrong.json().errors), ['items.0.monto'], 'the reduction before the addition')
    t.match(await get(`contracts/${two}/`), { monto: '100.00', extra_autorizado: '60.00' })
    const right = await director.post('convenios/bulk/', { upsert: 'external_id', items: [signed('more'), signed('less')] })
    t.equal(right.statusCode, 201, right.body)
    t.match(await get(`contracts/${two}/`), { monto: '10.00', extra_autorizado: '0.00' })

    const three = await contract({ monto: '100' })
    const last = await convenio(three, { external_id: 'last', monto: '100' }, 'autorizado')
    const reductions = await Promise.all(['first', 'second'].map(async external => await convenio(three, { external_id: external, monto: '-60' }, 'autorizado')))
    t.ok(reductions.every(({ id }) => id > last['id']))
    const sign = ['first', 'second', 'last'].map(external => ({ ...signed(external), contract: three }))
    const dip = await director.post('convenios/bulk/', { upsert: 'external_id', items: sign })
    t.same(Object.keys(dip.json().errors), ['items.1.monto'], 'each is possible alone, and all in the order of their ids')
  })

  await t.test('are written by mutations, with refs to new contracts', async (t) => {
    const device = randomUUID()
    const { results } = (await director.post('mutations/', {
      device,
      mutations: [
        { id: 1, op: 'create', resource: 'contracts', ref: 'c', body: { folio: 'M-1', monto: '100' } },
        { id: 2, op: 'create', resource: 'convenios', ref: 'v', body: { contract: { ref: 'c' }, monto: '30' } },
        { id: 3, op: 'update', resource: 'convenios', record: { ref: 'v' }, body: { estado: 'enviado' } },
        { id: 4, op: 'update', resource: 'convenios', record: { ref: 'v' }, body: { estado: 'autorizado', fecha_autorizacion: '2026-04-20' } },
        { id: 5, op: 'update', resource: 'convenios', record: { ref: 'v' }, body: { estado: 'firmado', fecha_firma: '2026-05-04' } },
        { id: 6, op: 'update', resource: 'contracts', record: { ref: 'c' }, body: { monto: '100' } }
      ]
    })).json()
    t.same(results.map(({ status }: { status: number }) => status), [201, 201, 200, 200, 200, 400], JSON.stringify(results))
    t.match(await get(`contracts/${results[0].record.id}/`), { monto: '130.00', monto_original: '100.00' })
  })

  await t.test('have their own sums and numbers after all of this', async (t) => {
    t.same(await psql('select contract_id from convenios group by 1 having max(numero) <> count(*)'), [])
    t.same(await wrongSums(psql), [])
    t.equal((await to(999_999, 'enviado')).statusCode, 404)
  })
})
