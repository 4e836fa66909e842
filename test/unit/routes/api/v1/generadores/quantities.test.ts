import fc from 'fast-check'
import t from 'tap'
import { productOf } from '../../../../../../src/domain/generadores/quantity.ts'
import { buildSites } from '../../../../../support/site.ts'

const { server, newSite } = await buildSites(t)
const { psql } = server

t.test('the product of dimensions is exact, and that of the database', async (t) => {
  t.equal(productOf(['24.5000', '1.2000', '1.8500']), '54.3900')
  t.equal(productOf(['0.0001', '0.5000']), '0.0001', 'ties away from zero')
  t.equal(productOf(['-0.0001', '0.5000']), '-0.0001')
  t.equal(productOf(['-0.0001', '0.4999']), '0.0000', 'no negative zero')
  t.equal(productOf(['7.2500']), '7.2500')
  const factor = fc.bigInt(-999_999_999n, 999_999_999n).map((units) => {
    const digits = String(units < 0n ? -units : units).padStart(5, '0')
    return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
  })
  await fc.assert(fc.asyncProperty(fc.array(fc.array(factor, { minLength: 1, maxLength: 4 }), { minLength: 50, maxLength: 50 }), async (products) => {
    const rows = await psql(`select ${products.map((factors, index) => `round(${factors.map(factor => `(${factor})::numeric`).join(' * ')}, 4)::text as p${index}`).join(', ')}`)
    const wrong = products.filter((factors, index) => productOf(factors) !== rows[0]?.[`p${index}`])
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
  }), { numRuns: 10 })
})

t.test('a quantity is given, or the product of the given dimensions', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const body = { estimate, concepto: site.conceptos['A'] }
  const post = async (more: object) => {
    const response = await site.client.post('generadores/', { ...body, ...more })
    return response.statusCode === 201 ? response.json().cantidad : response.json().codes
  }
  t.equal(await post({ cantidad: '3' }), '3.0000')
  t.equal(await post({ cantidad: -3.5 }), '-3.5000')
  t.equal(await post({ piezas: '2', largo: '1.5' }), '3.0000')
  t.equal(await post({ piezas: '2', largo: '1.5', cantidad: '3' }), '3.0000', 'the product itself')
  t.equal(await post({ piezas: null, largo: null, cantidad: '3' }), '3.0000')
  t.equal(await post({ piezas: '0', largo: '1.5' }), '0.0000')
  t.strictSame(await post({ piezas: '2', largo: '1.5', cantidad: '3.0001' }), { cantidad: ['not_product'] })
  t.strictSame(await post({}), { cantidad: ['required'] })
  t.strictSame(await post({ piezas: '2', cantidad: null }), { cantidad: ['null'] })
  t.strictSame(await post({ piezas: 'x', cantidad: '3' }), { piezas: ['invalid'] }, 'a refused dimension says nothing about the quantity')
  t.strictSame(await post({ piezas: '99999999999999', largo: '2' }), { cantidad: ['derived_too_large'] })
  t.strictSame(await post({ piezas: '-99999999999999', largo: '99999999999999', ancho: '99999999999999', alto: '99999999999999' }), { cantidad: ['derived_too_large'] })
})

t.test('a change of a dimension changes the quantity', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const { id } = await site.measure(estimate, 'A', { piezas: '2', largo: '3' })
  const patch = async (body: object) => {
    const response = await site.client.send('PATCH', `generadores/${id}/`, body)
    const { piezas, largo, cantidad, codes } = response.json()
    return codes ?? [piezas, largo, cantidad, (await site.read(estimate)).monto]
  }
  t.strictSame(await patch({ largo: '4' }), ['2.0000', '4.0000', '8.0000', '80.00'])
  t.strictSame(await patch({ largo: null }), ['2.0000', null, '2.0000', '20.00'])
  t.strictSame(await patch({ cantidad: '5' }), { cantidad: ['not_product'] })
  t.strictSame(await patch({ piezas: null }), [null, null, '2.0000', '20.00'], 'without dimensions the quantity stays')
  t.strictSame(await patch({ cantidad: '5' }), [null, null, '5.0000', '50.00'])
  t.strictSame(await patch({ piezas: '3' }), ['3.0000', null, '3.0000', '30.00'])
  const record = (await site.client.get(`generadores/${id}/`)).json()
  t.equal((await site.client.send('PUT', `generadores/${id}/`, record)).json().version, record.version, 'GET → PUT changes nothing')
  t.strictSame((await site.client.send('PUT', `generadores/${id}/`, { ...record, piezas: '4' })).json().codes, { cantidad: ['not_product'] })
})

t.test('psql cannot store another quantity', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const estimate = await site.estimate()
  const { id } = await site.measure(estimate, 'A', { piezas: '2', largo: '3' })
  await t.rejects(psql('update generadores set largo = 4 where id = $1', [id]), { code: '23514', constraint: 'generadores_cantidad_check' })
  await psql('update generadores set largo = 4, cantidad = 8 where id = $1', [id])
  t.match(await site.read(estimate), { monto: '80.00', version: 3 })
})

t.test('sums that are too large are refused', async (t) => {
  const site = await newSite([['A', '0', '1'], ['B', '0', '999999999999.999999']])
  const estimate = await site.estimate()
  await site.measure(estimate, 'A', '99999999999999.9999')
  const more = await site.client.post('generadores/', { estimate, concepto: site.conceptos['A'], cantidad: '0.0001' })
  t.strictSame([more.statusCode, more.json().codes], [400, { cantidad: ['derived_too_large'] }])
  const dear = await site.client.post('generadores/', { estimate, concepto: site.conceptos['B'], cantidad: '99999' })
  t.strictSame([dear.statusCode, dear.json().codes], [400, { cantidad: ['derived_too_large'] }])
  t.match(await site.read(estimate), { monto: '99999999999999.9999'.replace('.9999', '.00').replace('99999999999999', '100000000000000'), lineas: 1 })
  const price = await site.client.send('PATCH', `conceptos/${site.conceptos['A']}/`, { precio_unitario: '999' })
  t.strictSame([price.statusCode, price.json().codes], [400, { precio_unitario: ['derived_too_large'] }])
})
