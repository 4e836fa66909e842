import t from 'tap'
import { defineResource } from '../../src/domain/define.ts'
import { reference, text } from '../../src/resources/declaration/fields.ts'
import { buildChildren } from './server.ts'

t.test('keys of records: upsert and references', async (t) => {
  const { as, psql } = await buildChildren(t)
  const director = await as('director@demo.example')
  const stranger = await as('director@otra.example')
  const newWork = async (more: object = {}) => (await director.post('edificios/', { contract: 1, nombre: 'Torre', ...more })).json()
  const line = (edificio: unknown, clave: string, more: object = {}) => ({ edificio, clave, cantidad: '1', precio_unitario: '1', ...more })
  const upsert = async (items: object[], more: object = {}) => await director.post('renglones/bulk/', { upsert: 'clave', items, ...more })
  const unique = ['This field must be unique.']

  await t.test('upsert by a key within its parents', async (t) => {
    const [{ id: edificio }, { id: other }] = [await newWork(), await newWork()]
    const first = await upsert([line(edificio, 'A'), line(other, 'A'), line(edificio, 'A', { proveedor: 1 })])
    t.match([first.statusCode, first.json().results.map(({ version }: { version: number }) => version)], [201, [1, 1, 1]], 'the same key in other parents is another record')
    const [a] = first.json().results
    const again = await upsert([line(edificio, ' A ', { cantidad: '3' }), line(edificio, 'B'), line(other, 'A'), line(edificio, 'A', { proveedor: null, cantidad: '9' })].slice(0, 3))
    t.match(again.json().results, [{ id: a.id, cantidad: '3.0000', version: 2 }, { clave: 'B', version: 1 }, { version: 1 }])
    t.equal((await director.get(`renglones/?edificio=${edificio}`)).json().count, 3)

    for (const [items, what] of [
      [[line(edificio, 'A'), line(edificio, 'A')], 'an existing record'], [[line(edificio, 'new'), line(other, 'new'), line(edificio, 'new')], 'a new record'],
      [[line(edificio, 'A', { proveedor: null }), line(String(edificio), 'A')], 'other spellings']
    ] as const) t.strictSame((await upsert([...items])).json().errors, { [`items.${items.length - 1}.clave`]: unique }, `${what} twice`)
    t.strictSame((await upsert([{ ...line(edificio, 'x'), clave: undefined }, { ...line(edificio, 'x'), clave: null }])).json().errors, { 'items.0.clave': ['This field is required.'], 'items.1.clave': ['This field may not be null.'] })
    const partial = await upsert([line(99_999, 'A'), line(edificio, 'A', { cantidad: '4' }), line(edificio, 'A')], { partial: true })
    t.match(partial.json().results, [{ codes: { edificio: ['does_not_exist'] } }, { id: a.id, cantidad: '4.0000' }, { errors: { clave: unique } }])
    const twins = await upsert([line(edificio, 'T', { cantidad: 'x' }), line(edificio, 'T', { cantidad: '1', piezas: 5 }), line(edificio, 'T', { piezas: 6 }), line(edificio, 'A', { precio_unitario: 'x' }), line(edificio, 'A', { cantidad: '5' })], { partial: true })
    t.match(twins.json().results, [{ errors: { cantidad: [/./] } }, { clave: 'T', piezas: 5 }, { errors: { clave: unique } }, { errors: { precio_unitario: [/./] } }, { id: a.id, cantidad: '5.0000' }], 'an item is valid if an earlier one for its record is refused')
    t.strictSame(twins.json().results[2].codes, { clave: ['unique'] })
    const closed = await newWork()
    await director.send('PATCH', `edificios/${closed.id}/`, { estado: 'cerrada' })
    const late = await upsert([line(closed.id, 'T'), line(closed.id, 'T'), line(edificio, 'U')], { partial: true })
    t.match(late.json().results, [{ codes: { non_field_errors: [/./] } }, { codes: { non_field_errors: [/./], clave: undefined } }, { clave: 'U' }], 'even if the database refuses it')
    for (const absent of [99_999, { external_id: 'nothing' }, undefined]) {
      t.strictSame(Object.keys((await upsert([line(absent, 'N'), line(absent, 'N')])).json().errors), ['items.0.edificio', 'items.1.edificio'], 'without their parent, two items have no key in common')
    }
    t.strictSame((await upsert([line(edificio, 'V', { external_id: 'V' })])).statusCode, 201)
    const moved = await director.post('renglones/bulk/', { upsert: 'external_id', items: [line(99_999, 'V', { external_id: 'V' })] })
    t.strictSame(moved.json().errors, { 'items.0.edificio': ['This field cannot be changed.'] }, 'a fixed field has one problem')
    const foreign = (await stranger.post('edificios/', { contract: (await stranger.get('contracts/')).json().results[0].id, nombre: 'x' })).json()
    t.equal((await stranger.post('renglones/bulk/', { upsert: 'clave', items: [line(foreign.id, 'A')] })).json().results[0].version, 1, 'a key of another company')
  })

  await t.test('upsert by a key within a reference that is copied from the parent', async (t) => {
    const [{ id: edificio }, { id: other }] = [await newWork(), await newWork()]
    const pay = async (items: object[]) => await director.post('abonos/bulk/', { upsert: 'referencia', items })
    const made = await pay([{ edificio, referencia: 'R-1', importe: '1' }, { edificio: other, referencia: 'R-2', importe: '1' }])
    t.match(made.json().results, [{ contract: 1, version: 1 }, { contract: 1, version: 1 }])
    t.strictSame((await pay([{ edificio, referencia: 'R-1', importe: '1' }, { edificio: other, referencia: 'R-2', importe: '1' }])).json(), made.json())
    t.strictSame((await pay([{ edificio: other, referencia: 'R-1', importe: '1' }])).json().errors, { 'items.0.edificio': ['This field cannot be changed.'] }, 'of the same contract')
    t.strictSame((await pay([{ edificio, referencia: 'R-3', importe: '1' }, { edificio: other, referencia: 'R-3', importe: '1' }])).json().errors, { 'items.1.referencia': unique })
  })

  await t.test('the keys of a resource are those of its declaration', async (t) => {
    const wrong = await director.post('renglones/bulk/', { upsert: 'numero', items: [line(1, 'A')] })
    t.strictSame([wrong.statusCode, wrong.json().errors], [400, { upsert: ['"numero" is not a valid choice. Valid choices: external_id, clave.'] }])
    t.strictSame((await director.post('edificios/bulk/', { upsert: 'nombre', items: [{}] })).json().errors['upsert'], ['"nombre" is not a valid choice. Valid choices: external_id.'])
    const partidas = defineResource({
      name: 'partidas',
      title: 'Partida',
      one: 'an item',
      many: 'items',
      spanish: { one: 'una partida', many: 'partidas' },
      fields: { parent: reference('self').nullable(), clave: text(9).required().uniqueWithin('parent') },
      search: { columns: [] }
    })
    t.strictSame(partidas.schemas.bulk.properties.upsert.enum, ['external_id'], 'a parent of the same resource can be an earlier item')
    const folio = await director.post('contracts/bulk/', { upsert: 'folio', items: [{ folio: 'ON-2026-001', descripcion: 'by folio' }, { folio: 'BY-FOLIO' }] })
    t.match(folio.json().results, [{ id: 1, descripcion: 'by folio' }, { version: 1 }])
  })

  await t.test('a reference by external_id, also a required and fixed one', async (t) => {
    const { id: edificio } = await newWork({ external_id: 'W-1', contract: { external_id: 'E-1' } }).then(async (made) => {
      t.strictSame(made.errors, { contract: ['Object with external_id=E-1 does not exist.'] })
      await director.send('PATCH', 'contracts/1/', { external_id: 'E-1' })
      await stranger.post('contracts/', { folio: 'FOREIGN', external_id: 'FOREIGN' })
      await psql("update contrapartes set external_id = 'P-1' where id = 1")
      return await newWork({ external_id: 'W-1', contract: { external_id: 'E-1' } })
    })
    const by = { external_id: ' W-1 ' }
    const made = await director.post('renglones/', line(by, 'A', { proveedor: { external_id: 'P-1' } }))
    t.match([made.statusCode, made.json()], [201, { edificio, contract: 1, proveedor: 1 }], 'and copies the values of that parent')
    const path = `renglones/${made.json().id}/`
    t.equal((await director.send('PATCH', path, { edificio: by, proveedor: { external_id: 'P-1' } })).json().version, 1, 'the same record is no change')
    const missing = { external_id: 'nothing' }
    const absent = ['Object with external_id=nothing does not exist.']
    t.strictSame((await director.send('PUT', path, line(missing, 'A', { proveedor: missing }))).json().errors, { edificio: absent, proveedor: absent })
    t.match((await director.post('edificios/', { nombre: 'x', contract: { external_id: 'FOREIGN' } })).json().codes, { contract: ['does_not_exist'] }, 'of another company')
    const other = await newWork({ external_id: 'W-2' })
    t.strictSame((await director.send('PATCH', path, { edificio: { external_id: 'W-2' } })).json().errors, { edificio: ['This field cannot be changed.'] })
    const bulk = await upsert([line(by, 'A', { proveedor: 1, cantidad: '7' }), line({ external_id: 'W-2' }, 'A'), line(edificio, 'C')])
    t.match([bulk.statusCode, bulk.json().results], [201, [{ id: made.json().id, cantidad: '7.0000' }, { edificio: other.id }, { edificio }]])
    t.strictSame((await upsert([line(by, 'C'), line(missing, 'A'), line(edificio, 'C')])).json().errors, { 'items.1.edificio': absent, 'items.2.clave': unique })
  })

  await t.test('a value that is no reference', async (t) => {
    for (const [edificio, message] of [
      [{}, 'Incorrect type. Expected pk value, received dict.'], [{ external_id: 'W-1', id: 1 }, 'Incorrect type. Expected pk value, received dict.'], [{ ref: 'c1' }, 'Incorrect type. Expected pk value, received dict.'],
      [[], 'Incorrect type. Expected pk value, received list.'], [1.5, 'Incorrect type. Expected pk value, received float.'], [null, 'This field may not be null.']
    ] as const) t.strictSame((await director.post('renglones/', line(edificio, 'X'))).json().errors, { edificio: [message] }, JSON.stringify(edificio))
    const large = await director.send('POST', 'renglones/', '{"edificio":12345678901234567890,"clave":"X","cantidad":1,"precio_unitario":1}', { 'content-type': 'application/json' })
    t.strictSame(large.json().errors, { edificio: ['Invalid pk "12345678901234567890" - object does not exist.'] })
    for (const [id, message] of [['', 'This field may not be blank.'], [null, 'This field may not be null.'], [true, 'Not a valid string.'], ['x'.repeat(129), 'Ensure this field has no more than 128 characters.']] as const) {
      t.strictSame((await director.post('renglones/', line({ external_id: id }, 'X'))).json().errors, { 'edificio.external_id': [message] })
    }
    await newWork({ external_id: '4711' })
    t.equal((await director.post('renglones/', line({ external_id: 4711 }, 'X'))).statusCode, 201, 'a number is text, as in external_id itself')
  })

  await t.test('an item refers to records of earlier items of its own resource', async (t) => {
    const item = (name: string, parent?: string) => ({ folio: `T-${name}`, external_id: `t-${name}`, ...parent === undefined ? {} : { parent: { external_id: `t-${parent}` } } })
    const tree = [item('1'), item('1.1', '1'), item('1.2', '1'), item('1.1.1', '1.1'), item('2')]
    const made = await director.post('contracts/bulk/', { items: tree })
    t.equal(made.statusCode, 201, made.body)
    const ids = new Map(made.json().results.map(({ id, external_id: name }: { id: number, external_id: string }) => [name, id]))
    t.strictSame(made.json().results.map(({ parent }: { parent: number }) => parent), [null, ids.get('t-1'), ids.get('t-1'), ids.get('t-1.1'), null])
    const moved = await director.post('contracts/bulk/', { upsert: 'external_id', items: [item('3'), item('1', '3'), item('2', '1')] })
    t.match(moved.json().results, [{ version: 1 }, { id: ids.get('t-1'), version: 2 }, { parent: ids.get('t-1') }])
    const early = await director.post('contracts/bulk/', { items: [item('4.1', '4'), item('4')] })
    t.strictSame(early.json().errors, { 'items.0.parent': ['Object with external_id=t-4 does not exist.'] }, 'not to those of later items')
    const partial = await director.post('contracts/bulk/', { partial: true, items: [{ ...item('5'), monto: '-1' }, item('5.1', '5'), item('6'), item('6.1', '6')] })
    t.match(partial.json().results, [{ codes: { monto: ['min_value'] } }, { codes: { parent: ['does_not_exist'] } }, { external_id: 't-6' }, { external_id: 't-6.1' }])
    t.equal(partial.json().results[3].parent, partial.json().results[2].id)
    const cycle = await director.post('contracts/bulk/', { upsert: 'external_id', items: [item('7'), item('3', '7'), item('7', '1')].slice(0, 2).concat([item('8', '7')]) })
    t.equal(cycle.statusCode, 201)
    const inverse = await director.post('contracts/bulk/', { upsert: 'folio', items: [{ folio: 'T-7', parent: { external_id: 't-8' } }] })
    t.match(inverse.json().codes, { 'items.0.parent': ['parent_cycle'] })
  })

  await t.test('mutations, also to records of earlier ones and in base', async (t) => {
    const create = (id: number, folio: string, more: object = {}) => ({ id, op: 'create', resource: 'contracts', body: { folio, ...more } })
    const send = async (mutations: object[]) => (await director.post('mutations/', { device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11', mutations })).json().results
    const results = await send([
      create(1, 'M-1', { external_id: 'm-1' }), create(2, 'M-2', { parent: { external_id: 'm-1' }, contraparte: { external_id: 'P-1' } }),
      { id: 3, op: 'create', resource: 'estimates', body: { contract: { external_id: 'm-1' } } }, create(4, 'M-3', { parent: { external_id: 'nothing' } })
    ])
    t.match(results, [{ status: 201 }, { status: 201 }, { status: 201 }, { status: 400, errors: { parent: ['Object with external_id=nothing does not exist.'] } }])
    const [{ record: { id: parent } }, { record: { id: child } }] = results
    t.match((await director.get(`contracts/${child}/`)).json(), { parent, contraparte_id: 1 })
    const update = (id: number, base: object, body: object) => ({ id, op: 'update', resource: 'contracts', record: child, base, body })
    const more = await send([update(5, { parent: { external_id: 'm-1' } }, { parent: null }), update(6, { parent: { external_id: 'm-1' } }, { parent: { external_id: 'E-1' } })])
    t.match(more, [{ status: 200 }, { status: 409, fields: { parent: { base: parent, current: null, yours: 1 } } }])
  })
})
