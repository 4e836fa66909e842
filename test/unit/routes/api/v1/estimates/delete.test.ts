import t from 'tap'
import { estimating, states } from '../../../../../support/estimating.ts'

const conflict = { detail: 'Only the last estimate of a contract can be deleted, and only while it is a "borrador".', code: 'conflict' }

t.test('deleting estimates', async (t) => {
  const { director, contract, estimate, read, psql } = await estimating(t)
  const remove = async (id: number, headers = {}) => await director.send('DELETE', `estimates/${id}/`, undefined, headers)

  await t.test('of the last borrador of a contract: 204, then 404, and its numero is used again', async (t) => {
    const id = await contract()
    const [first, last] = [await estimate(id), await estimate(id, { external_id: 'libre', periodo_inicio: '2026-01-01', periodo_fin: '2026-01-31' })]
    const { count } = (await director.get('estimates/')).json()
    const response = await remove(last['id'])
    t.equal(response.statusCode, 204)
    t.equal(response.body, '')
    t.equal((await director.get(`estimates/${last['id']}/`)).statusCode, 404)
    t.equal((await remove(last['id'])).statusCode, 404)
    t.equal((await director.get('estimates/')).json().count, count - 1)
    const again = await estimate(id, { external_id: 'libre', periodo_inicio: '2026-01-31', periodo_fin: '2026-01-31' })
    t.equal(again['numero'], 2)
    t.not(again['id'], last['id'])
    for (const { id } of [again, first]) t.equal((await remove(id)).statusCode, 204)
    t.equal((await estimate(id))['numero'], 1)
  })

  await t.test('of another than the last, or not a borrador, is 409, in both languages', async (t) => {
    const id = await contract()
    const [first, last] = [await estimate(id), await estimate(id)]
    const refused = await remove(first['id'])
    t.equal(refused.statusCode, 409)
    t.strictSame(refused.json(), conflict)
    t.strictSame((await remove(first['id'], { 'accept-language': 'es' })).json(), { detail: 'Solo se puede eliminar la última estimación de un contrato, y solo mientras sea un "borrador".', code: 'conflict' })
    await remove(last['id'])
    t.equal((await remove(first['id'])).statusCode, 204)

    for (const state of states.filter(state => state !== 'borrador')) {
      // A paid one has a payment, which refers to it.
      const made = await estimate(await contract(), { monto: '100' }, state)
      const refused = await remove(made['id'])
      t.strictSame([refused.statusCode, refused.json()], [409, conflict], state)
      t.strictSame(await read(made['id']), made)
    }
  })

  await t.test('concurrent with creates leaves no gap', async (t) => {
    const id = await contract()
    for (let round = 0; round < 4; round++) {
      const last = await estimate(id)
      const [removal, ...made] = await Promise.all([remove(last['id']), ...Array.from({ length: 3 }, async () => await director.post('estimates/', { contract: id }))])
      t.ok([204, 409].includes(removal.statusCode))
      t.ok(made.every(({ statusCode }) => statusCode === 201))
    }
    t.same(await psql('select from (select numero, row_number() over (order by numero) as place from estimates where contract_id = $1) n where numero <> place', [id]), [])
  })

  await t.test('of a contract with estimates is refused, and the answer counts them', async (t) => {
    const id = await contract()
    const made = [await estimate(id), await estimate(id, {}, 'cancelada')]
    const refusal = async (language: string) => await director.send('DELETE', `contracts/${id}/`, undefined, { 'accept-language': language })
    t.equal((await refusal('en')).statusCode, 409)
    t.strictSame((await refusal('en')).json(), { detail: 'This contract cannot be deleted while it has estimates (2).', code: 'protected' })
    await contract({ parent: id })
    t.strictSame((await refusal('es')).json(), { detail: 'Este contrato no puede eliminarse mientras tenga subcontratos (1) o estimaciones (2).', code: 'protected' })

    const free = await contract()
    await remove((await estimate(free))['id'])
    t.equal((await director.send('DELETE', `contracts/${free}/`)).statusCode, 204)
    t.equal((await director.get(`estimates/${made[0]?.['id']}/`)).statusCode, 200)
  })

  await t.test('either the delete of a contract or a concurrent new estimate is refused', async (t) => {
    for (let round = 0; round < 5; round++) {
      const id = await contract()
      const [removal, made] = await Promise.all([director.send('DELETE', `contracts/${id}/`), director.post('estimates/', { contract: id })])
      t.ok((removal.statusCode === 204 && made.statusCode === 400) || (removal.statusCode === 409 && made.statusCode === 201), `${removal.statusCode} ${made.statusCode}`)
      if (made.statusCode === 400) t.strictSame(made.json().errors, { contract: [`Invalid pk "${id}" - object does not exist.`] })
    }
  })
})
