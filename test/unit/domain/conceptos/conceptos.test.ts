import t from 'tap'
import { estimating } from '../../../support/estimating.ts'

const concept = (contract: number, clave: string, cantidad: string, precio: string, more: object = {}) => ({ contract, clave, unidad: 'm3', cantidad, precio_unitario: precio, ...more })

t.test('the catalogue of a contract', async (t) => {
  const { director, as, contract, estimate } = await estimating(t)
  const amount = async (id: number): Promise<string> => (await director.get(`contracts/${id}/`)).json().monto

  t.test('its sum replaces the amount of the contract (works-examples.md, 1)', async (t) => {
    const id = await contract({ monto: '12500000.00' })
    const rows = [['EXC-01', '480', '185.75'], ['CON-250', '120.5', '2845.3333'], ['MUR-14', '950', '412.40']] as const
    const made = await director.post('conceptos/bulk/', { items: rows.map(([clave, cantidad, precio]) => concept(id, clave, cantidad, precio)) })
    t.strictSame(made.json().results.map(({ importe }: { importe: string }) => importe), ['89160.00', '342862.66', '391780.00'])
    t.strictSame(made.json().results.map(({ precio_unitario: price }: { precio_unitario: string }) => price), ['185.75', '2845.3333', '412.40'])
    t.equal(await amount(id), '823802.66')

    const refused = await director.send('PATCH', `contracts/${id}/`, { monto: '12500000.00' })
    t.strictSame([refused.statusCode, refused.json().codes], [400, { monto: ['derived'] }])
    t.equal((await director.send('PATCH', `contracts/${id}/`, { monto: '823802.66', descripcion: 'Torre' })).statusCode, 200, 'the sum itself can be sent')
    for (const { id: row } of made.json().results) t.equal((await director.send('DELETE', `conceptos/${row}/`)).statusCode, 204)
    t.equal(await amount(id), '0.00')
  })

  t.test('an upsert by clave changes the rows of its contract alone', async (t) => {
    const [id, other] = [await contract(), await contract()]
    const upsert = async (items: object[]) => await director.post('conceptos/bulk/', { items, upsert: 'clave' })
    t.equal((await upsert([concept(id, 'A', '1', '10'), concept(other, 'A', '1', '20'), concept(id, 'a', '1', '5')])).statusCode, 201)
    const again = await upsert([concept(id, 'A', '2', '10'), concept(id, 'B', '1', '1')])
    t.equal(again.statusCode, 201, again.body)
    t.strictSame([await amount(id), await amount(other)], ['26.00', '20.00'])
    const taken = await director.post('conceptos/', concept(id, 'A', '1', '10'))
    t.strictSame([taken.statusCode, taken.json().codes], [400, { clave: ['unique'] }])
  })

  t.test('the filter by capitulo finds a chapter and everything below it', async (t) => {
    const id = await contract()
    const chapters = ['02 Estructura', '02 Estructura/02.1 Losas', '02 Estructura/02.1 Losas/A', '02 Estructuras', '02 Estructura 2', '02', '']
    await director.post('conceptos/bulk/', { items: chapters.map((capitulo, index) => concept(id, `K${index}`, '1', '1', { capitulo })) })
    const found = async (capitulo: string) => (await director.get(`conceptos/?contract=${id}&ordering=clave&capitulo=${encodeURIComponent(capitulo)}`)).json().results.map(({ clave }: { clave: string }) => clave).join()
    t.equal(await found('02 Estructura'), 'K0,K1,K2')
    t.equal(await found('02 Estructura/02.1 Losas'), 'K1,K2')
    t.equal(await found('02'), 'K5')
    t.equal(await found('03'), '')
  })

  t.test('a sum below what is authorized is refused, once per request', async (t) => {
    const id = await contract({ monto: '1000.00' })
    await estimate(id, { monto: '600.00' }, 'autorizada')
    const one = await director.post('conceptos/', concept(id, 'A', '1', '500'))
    t.strictSame([one.statusCode, one.json().codes], [400, { cantidad: ['below_authorized'] }])
    t.equal(await amount(id), '1000.00')
    const whole = await director.post('conceptos/bulk/', { items: [concept(id, 'A', '1', '500'), concept(id, 'B', '1', '100')] })
    t.equal(whole.statusCode, 201, whole.body)
    t.equal(await amount(id), '600.00')
    const [first, second] = whole.json().results
    const lower = await director.send('PATCH', `conceptos/${first.id}/`, { cantidad: '0.9' })
    t.strictSame([lower.statusCode, lower.json().codes], [400, { cantidad: ['below_authorized'] }])
    const moved = await director.post('conceptos/bulk/', { upsert: 'clave', items: [concept(id, 'A', '0.5', '500'), concept(id, 'B', '3.5', '100')] })
    t.equal(moved.statusCode, 201, moved.body)
    t.equal((await director.send('DELETE', `conceptos/${second.id}/`)).statusCode, 400)
    t.equal(await amount(id), '600.00')
  })

  t.test('values that no catalogue has are refused under their fields', async (t) => {
    const id = await contract()
    const refused = await director.post('conceptos/', { contract: id, clave: ' ', unidad: '', cantidad: '-1', precio_unitario: '-0.000001' })
    t.strictSame([refused.statusCode, refused.json().codes], [400, { clave: ['blank'], unidad: ['blank'], cantidad: ['min_value'], precio_unitario: ['min_value'] }])
    const large = await director.post('conceptos/', concept(id, 'A', '99999999999999', '999999999999'))
    t.strictSame([large.statusCode, large.json().codes], [400, { importe: ['derived_too_large'] }])
    const both = { items: ['A', 'B'].map(clave => concept(id, clave, '99999999', '99999999')) }
    t.strictSame((await director.post('conceptos/bulk/', both)).json().codes, { 'items.1.importe': ['derived_too_large'] }, 'the sum of both is too large for the contract')
  })

  t.test('a contract with concepts cannot be deleted; a Coordinador can write and delete concepts', async (t) => {
    const id = await contract()
    const coordinator = await as('coordinador@demo.example')
    const made = await coordinator.post('conceptos/', concept(id, 'A', '1', '1'))
    t.equal(made.statusCode, 201, made.body)
    const refused = await director.send('DELETE', `contracts/${id}/`)
    t.strictSame([refused.statusCode, refused.json().detail], [409, 'This contract cannot be deleted while it has concepts (1).'])
    t.equal((await coordinator.send('DELETE', `conceptos/${made.json().id}/`)).statusCode, 204)
    t.equal((await director.send('DELETE', `contracts/${id}/`)).statusCode, 204)
  })

  t.test('5,000 concepts are one bulk', async (t) => {
    const id = await contract()
    const items = Array.from({ length: 5000 }, (_, n) => concept(id, `C-${n}`, '2', '1.5', { capitulo: `${n % 20}`, descripcion: `Concepto ${n}` }))
    const made = await director.post('conceptos/bulk/', { items })
    t.equal(made.statusCode, 201, made.body.slice(0, 300))
    t.equal(await amount(id), '15000.00')
    const again = await director.post('conceptos/bulk/', { upsert: 'clave', items: items.map(item => ({ ...item, precio_unitario: '2.5' })) })
    t.equal(again.statusCode, 201, again.body.slice(0, 300))
    t.equal(await amount(id), '25000.00')
    t.equal((await director.post('conceptos/bulk/', { items: [...items, items[0]] })).json().codes.items[0], 'max_length')
  })
})
