import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('sums of subcontracts separate currencies', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')

  t.test('sums are in a single contract and in its tree, but not in lists', async (t) => {
    const made = async (body: object) => (await director.post('contracts/', body)).json()
    const { id: main } = await made({ folio: 'D-1', monto: '100' })
    const { id: dollars } = await made({ folio: 'D-2', monto: '10.50', moneda: 'USD', parent: main })
    await made({ folio: 'D-3', monto: '20', parent: main })
    await made({ folio: 'D-4', monto: '3', parent: dollars, moneda: 'MXN' })
    await made({ folio: 'D-5', monto: '0', parent: main, moneda: 'EUR' })
    t.match((await director.get(`contracts/${main}/`)).json(), { hijos: 3, monto_subcontratado: '20.00', otras_monedas: { USD: '10.50', EUR: '0.00' } })
    t.strictSame((await director.get(`contracts/${main}/?fields=otras_monedas`)).body, '{"otras_monedas":{"EUR":"0.00","USD":"10.50"}}')
    t.strictSame((await director.get(`contracts/${dollars}/?fields=monto_subcontratado,otras_monedas`)).json(), { monto_subcontratado: '0.00', otras_monedas: { MXN: '3.00' } })
    t.notOk('otras_monedas' in (await director.get('contracts/?folio=D-1')).json().results[0])

    const tree = (await director.get(`contracts/${main}/tree/`)).json()
    t.match(tree, { monto_total: '123.00', otras_monedas: { USD: '10.50', EUR: '0.00' }, children: [{ monto_total: '10.50', otras_monedas: { MXN: '3.00' } }, { monto_total: '20.00' }, { monto_total: '0.00' }] })
    t.strictSame(tree.children[1].otras_monedas, {})
    t.strictSame((await director.get(`contracts/${main}/tree/?depth=0`)).json().otras_monedas, tree.otras_monedas, 'at any depth')

    const shown = (await director.get(`contracts/${main}/`)).json()
    const put = await director.send('PUT', `contracts/${main}/`, { ...shown, descripcion: 'x', otras_monedas: { USD: '9.00' } })
    t.match([put.statusCode, put.json()], [200, { descripcion: 'x', otras_monedas: { USD: '10.50', EUR: '0.00' } }], 'the answer of a GET may be sent back')
  })
})
