import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'
import { messages } from '../../../../../../src/http/messages.ts'

const row = (contract: number, clave: string, cantidad = '1', precio = '200') => ({ contract, clave, unidad: 'm', cantidad, precio_unitario: precio })

t.test('the first catalogue of a contract with an authorized estimate', async (t) => {
  const { director, contract, estimate } = await estimating(t)
  const billed = async () => {
    const id = await contract({ monto: '1000.00' })
    await estimate(id, { monto: '600' }, 'autorizada')
    return id
  }
  const bulk = async (body: object) => await director.post('conceptos/bulk/', body)

  await t.test('is checked with all of its rows, beside a row that is refused for its own problem', async (t) => {
    for (const [wrong, errors] of [
      [(id: number) => row(id, 'C'), { clave: [messages.en.unique] }],
      [(id: number) => ({ ...row(id, 'D'), unidad: '' }), { unidad: [messages.en.blank] }]
    ] as const) {
      const id = await billed()
      const items = ['A', 'B', 'C'].map(clave => row(id, clave))
      const all = await bulk({ items: [...items, wrong(id)] })
      t.strictSame([all.statusCode, all.json().errors], [400, Object.fromEntries(Object.entries(errors).map(([field, texts]) => [`items.3.${field}`, texts]))])
      const { results } = (await bulk({ partial: true, items: [...items, wrong(id)] })).json()
      t.strictSame(results.map((one: { errors?: object }) => one.errors), [undefined, undefined, undefined, errors])
      t.match((await director.get(`contracts/${id}/`)).json(), { monto: '600.00' })
    }
  })

  await t.test('is checked with all of its rows, beside the change of a row of another contract', async (t) => {
    const [id, other] = [await billed(), await contract({ monto: '1.00' })]
    t.equal((await bulk({ items: [row(other, 'Z')] })).statusCode, 201)
    const response = await bulk({ upsert: 'clave', items: [row(other, 'Z', '2'), ...['A', 'B', 'C', 'D'].map(clave => row(id, clave, '1', '150'))] })
    t.equal(response.statusCode, 201, response.body)
    t.match((await director.get(`contracts/${id}/`)).json(), { monto: '600.00' })
  })

  await t.test('is refused as a whole if all of its rows are not enough', async (t) => {
    const id = await billed()
    const response = await bulk({ items: ['A', 'B'].map(clave => row(id, clave)) })
    t.equal(response.statusCode, 400)
    t.ok(Object.values(response.json().codes as Record<string, string[]>).flat().every(code => code === 'below_authorized'), response.body)
  })
})
