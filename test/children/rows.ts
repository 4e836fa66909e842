import fc from 'fast-check'
import t from 'tap'
import { changeFeed } from '../../src/resources/feed/feed.ts'
import { decimal, rounded } from '../support/exact.ts'
import { renglones } from './resources.ts'
import { buildChildren } from './server.ts'

t.test('children of a record', async (t) => {
  const { as, psql } = await buildChildren(t)
  const director = await as('director@demo.example')
  const stranger = await as('director@otra.example')
  const newWork = async (nombre = 'Torre') => (await director.post('edificios/', { contract: 1, nombre })).json()
  const line = (edificio: number, clave: string, more: object = {}) => ({ edificio, clave, cantidad: '1', precio_unitario: '1', ...more })

  t.test('kinds of fields are stored exactly and shown in their form', async (t) => {
    const { id: edificio } = await newWork()
    const made = await director.post('renglones/', line(edificio, 'A', { cantidad: '-2.5', precio_unitario: 0.003125, avance: '12.5', piezas: -10, medida_en: '2026-03-01T09:00-06:00', sha256: 'AB'.repeat(32) }))
    t.equal(made.statusCode, 201, made.body)
    const shown = { contract: 1, numero: 1, cantidad: '-2.5000', precio_unitario: '0.003125', importe: '-0.01', avance: '12.500000', piezas: -10, medida_en: '2026-03-01T15:00:00.000000Z', sha256: 'ab'.repeat(32) }
    t.match(made.json(), shown)
    const path = `renglones/${made.json().id}/`
    t.match((await director.get(path)).json(), shown)
    t.equal((await director.send('PUT', path, made.json())).json().version, 1, 'GET → PUT changes nothing')

    const [feed] = await psql(`select ${renglones.stored.json} as record from renglones t where t.id = $1`, [made.json().id])
    t.match(JSON.parse(feed?.['record']), shown, 'the feed has the form of answers')
    t.type(changeFeed([renglones]), 'object')
    const mistakes = await director.post('renglones/', { edificio, clave: 'B', cantidad: '1.00001', precio_unitario: -1, avance: '1000', piezas: 100_001, medida_en: 'ayer', sha256: 'x' })
    t.strictSame([mistakes.statusCode, Object.keys(mistakes.json().errors).sort()], [400, ['avance', 'cantidad', 'medida_en', 'piezas', 'precio_unitario', 'sha256']])
    const large = await director.post('renglones/', line(edificio, 'C', { cantidad: '99999999999999', precio_unitario: '999999999999' }))
    t.strictSame([large.statusCode, large.json().errors], [400, { importe: ['The value that is calculated from `cantidad`, `precio_unitario` has more than 16 digits before the decimal point.'] }])
  })

  t.test('decimals: a string equals a number and survives the database', async (t) => {
    let number = 0
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 4 })
    await fc.assert(fc.asyncProperty(fc.nat(9_999_999), digits, fc.nat(9_999_999), digits, async (whole, places, price, pricePlaces) => {
      const { id: edificio } = await newWork()
      const [cantidad, precio] = [`${whole}.${places}`, `${price}.${pricePlaces}`]
      number += 2
      const items = `{"items":[${[[`"${cantidad}"`, `"${precio}"`], [cantidad, precio]].map(([c, p], i) => `{"edificio":${edificio},"clave":"${number + i}","cantidad":${c},"precio_unitario":${p}}`).join()}]}`
      const [one, other] = (await director.send('POST', 'renglones/bulk/', items, { 'content-type': 'application/json' })).json().results
      const scaled = BigInt(whole + places.padEnd(4, '0')) * BigInt(price + pricePlaces.padEnd(4, '0'))
      const expected = {
        cantidad: `${whole}.${places.padEnd(4, '0')}`,
        precio_unitario: `${price}.${pricePlaces.replace(/0+$/, '').padEnd(2, '0')}`,
        importe: decimal(rounded(scaled, 1_000_000n))
      }
      for (const record of [one, other]) if (Object.entries(expected).some(([field, value]) => record[field] !== value)) throw new Error(`${cantidad} × ${precio}: ${JSON.stringify(record)}`)
    }), { numRuns: 20 })
  })

  t.test('lists are sorted and filtered by all kinds, page by page', async (t) => {
    const { id: edificio } = await newWork()
    const items = ['-3', '-20', '0', '100', '7'].map((cantidad, index) => line(edificio, String(index), { cantidad, precio_unitario: `${index}.5`, piezas: index - 2, avance: index === 2 ? null : `${index}`, medida_en: `2026-03-0${index + 1}T00:00:00Z` }))
    t.equal((await director.post('renglones/bulk/', { items })).statusCode, 201)
    const claves = async (query: string) => {
      const found: string[] = []
      for (let url: string | null = `renglones/?edificio=${edificio}&page_size=2&${query}`; url !== null;) {
        const page: { results: Array<{ clave: string }>, next: string | null } = (await director.get(url)).json()
        found.push(...page.results.map(({ clave }) => clave))
        url = page.next === null ? null : page.next.slice(page.next.indexOf('renglones/'))
      }
      return found.join('')
    }
    for (const [query, expected] of [
      ['ordering=cantidad', '10243'], ['ordering=-cantidad', '34201'], ['ordering=importe', '10243'], ['ordering=piezas', '01234'], ['ordering=-precio_unitario', '43210'], ['ordering=avance', '01342'], ['ordering=-medida_en', '43210'],
      ['ordering=-numero', '43210'], ['cantidad_min=-3&cantidad_max=7', '024'], ['importe_max=0', '012'], ['precio_unitario=2.500000', '2'], ['piezas=-2', '0'], ['numero=3', '2'], ['medida_desde=2026-03-03T18:00:00-06:00', '34'], ['contract=1', '01234']
    ] as const) t.equal(await claves(query), expected, query)
    t.equal((await director.get('renglones/?cantidad_min=x')).statusCode, 400)
  })

  t.test('a fixed field changes neither by PUT nor by PATCH nor in a bulk', async (t) => {
    const [{ id: edificio }, { id: other }] = [await newWork(), await newWork()]
    const { id } = (await director.post('renglones/', line(edificio, 'A', { external_id: `fixed-${edificio}` }))).json()
    for (const [method, body] of [['PATCH', { edificio: other }], ['PUT', line(other, 'A')]] as const) {
      const response = await director.send(method, `renglones/${id}/`, body)
      t.strictSame([response.statusCode, response.json().errors], [400, { edificio: ['This field cannot be changed.'] }], method)
    }
    const bulk = await director.post('renglones/bulk/', { items: [line(other, 'A', { external_id: `fixed-${edificio}` })], upsert: 'external_id' })
    t.strictSame([bulk.statusCode, bulk.json().errors], [400, { 'items.0.edificio': ['This field cannot be changed.'] }])
    t.equal((await director.send('PATCH', `renglones/${id}/`, { edificio: String(edificio), contract: 2, numero: 9, importe: '5.00' })).json().version, 1, 'the same value, and read-only ones')
  })

  t.test('psql cannot change fixed and copied values, nor insert other copies', async (t) => {
    const { id: edificio } = await newWork()
    const { id } = (await director.post('renglones/', line(edificio, 'A'))).json()
    const [{ other }] = await psql('select id as other from contracts where company_id = 1 and id <> 1 limit 1') as [{ other: number }]
    for (const [column, value, rule] of [['edificio_id', (await newWork()).id, 'fixed'], ['contract_id', other, 'fixed']] as const) {
      await t.rejects(psql(`update renglones set ${column} = $2 where id = $1`, [id, value]), { code: '23514', constraint: `renglones_${column}_${rule}` })
    }
    await t.rejects(psql("insert into renglones (company_id, edificio_id, contract_id, clave, cantidad, precio_unitario) values (1, $1, $2, 'X', 1, 1)", [edificio, other]), { code: '23514', constraint: 'renglones_contract_id_copied' })
    await psql('update renglones set edificio_id = edificio_id, contract_id = 1 where id = $1', [id])
  })

  t.test('a parent that does not exist, or of another company, is 400 under its field', async (t) => {
    for (const edificio of [99_999, null, undefined]) t.strictSame(Object.keys((await director.post('renglones/', { ...line(1, 'A'), edificio })).json().errors), ['edificio'])
    const { id: edificio } = await newWork()
    const foreign = await stranger.post('renglones/', line(edificio, 'A'))
    t.strictSame([foreign.statusCode, foreign.json().errors], [400, { edificio: [`Invalid pk "${edificio}" - object does not exist.`] }])
    const { id } = (await director.post('renglones/', line(edificio, 'A'))).json()
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) t.equal((await stranger.send(method, `renglones/${id}/`, method === 'GET' ? undefined : {})).statusCode, 404, method)
  })

  t.test('keys are unique within the parent, also with a null reference, in a bulk and for psql', async (t) => {
    const [{ id: edificio }, { id: other }] = [await newWork(), await newWork()]
    t.equal((await director.post('renglones/', line(edificio, 'A'))).statusCode, 201)
    t.equal((await director.post('renglones/', line(other, 'A'))).statusCode, 201, 'in another parent')
    t.equal((await director.post('renglones/', line(edificio, 'A', { proveedor: 1 }))).statusCode, 201, 'with another reference')
    const taken = { clave: ['This field must be unique.'] }
    t.strictSame((await director.post('renglones/', line(edificio, 'A'))).json().errors, taken)
    const { id } = (await director.post('renglones/', line(edificio, 'B'))).json()
    t.strictSame((await director.send('PATCH', `renglones/${id}/`, { clave: 'A' })).json().errors, taken)
    t.strictSame((await director.send('PATCH', `renglones/${id}/`, { clave: 'A', proveedor: 1 })).json().errors, taken)
    t.equal((await director.send('PATCH', `renglones/${id}/`, { clave: 'A', proveedor: 2 })).statusCode, 200)
    t.strictSame((await director.send('PATCH', `renglones/${id}/`, { proveedor: null })).json().errors, taken, 'the reference alone')
    const bulk = await director.post('renglones/bulk/', { items: [line(edificio, 'C'), line(other, 'C'), line(edificio, 'C')] })
    t.strictSame([bulk.statusCode, bulk.json().errors], [400, { 'items.2.clave': ['This field must be unique.'] }])
    await t.rejects(psql("insert into renglones (company_id, edificio_id, clave, cantidad, precio_unitario) select company_id, id, 'A', 1, 1 from edificios where id = $1", [edificio]), { code: '23505' })
  })

  t.test('records are numbered in their parent, also by races, bulks and psql', async (t) => {
    const { id: edificio } = await newWork()
    const made = await Promise.all(Array.from({ length: 8 }, async (_, index) => await director.post('renglones/', line(edificio, `R${index}`))))
    t.strictSame(made.map(response => response.json().numero).sort(), [1, 2, 3, 4, 5, 6, 7, 8])
    t.equal((await director.send('DELETE', `renglones/${made.find(response => response.json().numero === 8)?.json().id}/`)).statusCode, 204)
    const bulk = await director.post('renglones/bulk/', { items: ['x', 'y'].map(clave => line(edificio, clave)) })
    t.strictSame(bulk.json().results.map(({ numero }: { numero: number }) => numero), [8, 9], 'the number of the deleted last one is free')
    const [row] = await psql("insert into renglones (company_id, edificio_id, clave, cantidad, precio_unitario) select company_id, id, 'psql', 1, 1 from edificios where id = $1 returning numero, contract_id", [edificio])
    t.strictSame(row, { numero: 10, contract_id: 1 }, 'psql copies the contract too')
    const races = await Promise.all(['same', 'same', 'same'].map(async clave => (await director.post('renglones/', line(edificio, clave))).statusCode))
    t.strictSame(races.sort(), [201, 400, 400], 'a key once')
  })

  t.test('a bulk has the limit of its resource', async (t) => {
    const { id: edificio } = await newWork()
    const items = (length: number) => Array.from({ length }, (_, index) => line(edificio, `${index}`))
    const refused = await director.post('renglones/bulk/', { items: items(1501) })
    t.strictSame([refused.statusCode, refused.json().errors], [400, { items: ['Ensure this field has no more than 1500 elements.'] }])
    const made = await director.post('renglones/bulk/', { items: items(1500) })
    t.match([made.statusCode, made.json().count, made.json().results.at(-1)], [201, 1500, { numero: 1500 }])
    t.equal((await director.get(`edificios/${edificio}/`)).json().monto, '1500.00')
  })

  t.test('a parent with children: cascade and protection', async (t) => {
    const { id: edificio } = await newWork()
    const { id } = (await director.post('renglones/', line(edificio, 'A'))).json()
    t.equal((await director.send('DELETE', `edificios/${edificio}/`)).statusCode, 204)
    t.equal((await director.get(`renglones/${id}/`)).statusCode, 404)
    const measured = (await newWork()).id
    const renglon = (await director.post('renglones/', line(measured, 'A'))).json().id
    const { id: lectura } = (await director.post('lecturas/', { renglon })).json()
    const [kept, other] = await Promise.all([measured, (await newWork()).id].map(async one => await director.send('DELETE', `edificios/${one}/`)))
    t.match([kept?.statusCode, kept?.json(), other?.statusCode], [409, { code: 'protected', detail: 'This building cannot be deleted while it has readings (1).' }, 204], 'what protects an entry protects its building')
    t.equal((await director.send('DELETE', `lecturas/${lectura}/`)).statusCode, 204)
    t.equal((await director.send('DELETE', `edificios/${measured}/`)).statusCode, 204)
    await newWork()
    const refused = await director.send('DELETE', 'contracts/1/')
    t.equal(refused.statusCode, 409)
    t.match(refused.json().detail, /buildings \(\d+\)/)
  })
})
