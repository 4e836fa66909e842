import fc from 'fast-check'
import t from 'tap'
import { buildChildren } from './server.ts'

/** The constraint that refuses a statement. */
const constraintOf = async (statement: Promise<unknown>) => await statement.then(() => undefined, (error: { constraint?: string }) => error.constraint)

const cents = (amount: string) => BigInt(amount.replace('.', ''))

t.test('sums, states and effects between records', async (t) => {
  const { as, psql } = await buildChildren(t)
  const director = await as('director@demo.example')
  const newWork = async (more: object = {}) => (await director.post('edificios/', { contract: 1, nombre: 'Torre', ...more })).json()
  const work = async (id: number) => (await director.get(`edificios/${id}/`)).json()
  const line = (edificio: number, clave: string, cantidad = '1', price = '1') => ({ edificio, clave, cantidad, precio_unitario: price })
  const insert = 'insert into renglones (company_id, edificio_id, clave, cantidad, precio_unitario) select company_id, id, $2, $3, $4 from edificios where id = $1'
  const logged = async (id: number) => Number((await psql("select count(*) as n from changes where resource = 'edificios' and record_id = $1", [id]))[0]?.['n'])

  t.test('a sum is given without rows and derived with them', async (t) => {
    const { id, version } = await newWork({ monto: '500.00' })
    const { id: first } = (await director.post('renglones/', line(id, 'A', '2', '10'))).json()
    t.match(await work(id), { monto: '20.00', version: version + 1 })
    t.equal(await logged(id), 2, 'the change log has the new work and its change')
    for (const method of ['PATCH', 'PUT'] as const) {
      const refused = await director.send(method, `edificios/${id}/`, { contract: 1, nombre: 'Torre', monto: '21' })
      t.strictSame([refused.statusCode, refused.json().errors, refused.json().codes], [400, { monto: ['This amount is the sum of its lines and cannot be given.'] }, { monto: ['derived'] }])
    }
    t.equal((await director.send('PATCH', `edificios/${id}/`, { nombre: 'Puente', monto: '20' })).statusCode, 200, 'the sum itself can be sent')
    t.equal(await constraintOf(psql('update edificios set monto = 1 where id = $1', [id])), 'edificios_monto_derived')
    t.equal(await constraintOf(psql('update edificios set monto_rows = 0 where id = $1', [id])), 'edificios_monto_derived')
    await director.send('PATCH', `renglones/${first}/`, { cantidad: '-3' })
    t.equal((await work(id)).monto, '-30.00')
    t.equal((await director.send('DELETE', `renglones/${first}/`)).statusCode, 204)
    t.match((await work(id)).monto, '0.00', 'without its last row it is 0')
    t.equal((await director.send('PATCH', `edificios/${id}/`, { monto: '7' })).json().monto, '7.00', 'and can be given again')
  })

  t.test('a sum stays right after any writes by the API and psql', async (t) => {
    const works = [(await newWork()).id, (await newWork()).id] as const
    await psql('alter table renglones disable trigger fixed_edificio_id')
    const own = async (edificio: number) => await psql('select id from renglones where edificio_id = $1 order by id', [edificio])
    let number = 0
    const step = fc.record({ kind: fc.constantFrom('post', 'bulk', 'patch', 'delete', 'psql insert', 'psql update', 'psql delete', 'psql move'), which: fc.constantFrom(0, 1), row: fc.nat(9), cantidad: fc.integer({ min: -50, max: 500 }), precio: fc.nat(99_999) })
    const run = async ({ kind, which, row, cantidad, precio }: { kind: string, which: number, row: number, cantidad: number, precio: number }) => {
      const edificio = works[which] as number
      const rows = await own(edificio)
      const id = rows[row % Math.max(rows.length, 1)]?.['id']
      const price = `${precio}.${number % 100}`
      const clave = () => `k${++number}`
      switch (kind) {
        case 'post': return await director.post('renglones/', line(edificio, clave(), `${cantidad}`, price))
        case 'bulk': return await director.post('renglones/bulk/', { items: [line(edificio, clave(), `${cantidad}`, price), line(works[1 - which] as number, clave(), '1', price)] })
        case 'psql insert': return await psql(insert, [edificio, clave(), cantidad, price])
        case 'psql update': return await psql('update renglones set cantidad = cantidad + $2 where edificio_id = $1', [edificio, cantidad])
        case 'psql delete': return await psql('delete from renglones where edificio_id = $1 and id > $2', [edificio, id ?? 0])
        case 'psql move': return await psql("update renglones set edificio_id = $2, numero = nextval('renglones_id_seq') where id = $1", [id, works[1 - which]])
        case 'patch': return id !== undefined && await director.send('PATCH', `renglones/${id}/`, { cantidad })
        default: return id !== undefined && await director.send('DELETE', `renglones/${id}/`)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const one of steps) await run(one)
      for (const id of works) {
        const [sum] = await psql('select count(*)::int as n, coalesce(sum(importe), 0.00)::text as sum from renglones where edificio_id = $1', [id])
        const [kept] = await psql('select monto_rows as n, monto::text as sum from edificios where id = $1', [id])
        if (kept?.['n'] !== sum?.['n'] || cents(kept?.['sum']) !== cents(sum?.['sum'])) throw new Error(`${JSON.stringify(kept)} instead of ${JSON.stringify(sum)}`)
      }
    }), { numRuns: 15 })
    await psql('alter table renglones enable trigger fixed_edificio_id')
  })

  t.test('a sum that would be too large is 400 under the amount', async (t) => {
    const { id } = await newWork()
    const large = (clave: string) => line(id, clave, '99999999', '99999999')
    t.equal((await director.post('renglones/', large('A'))).statusCode, 201)
    const message = ['With this amount, the sum that it is part of would be too large.']
    t.strictSame((await director.post('renglones/', large('B'))).json().errors, { importe: message })
    const { id: small } = (await director.post('renglones/', line(id, 'C', '5'))).json()
    t.strictSame((await director.send('PATCH', `renglones/${small}/`, { cantidad: '99999999', precio_unitario: '99999999' })).json().errors, { importe: message })
    t.strictSame((await director.post('renglones/bulk/', { items: [line(id, 'D'), large('E')] })).json().errors, { 'items.1.importe': message })
    t.equal((await work(id)).monto, '9999999800000006.00')
  })

  t.test('a rule of the parent on its sum means the same for its records', async (t) => {
    const { id } = await newWork({ nombre: 'Tope' })
    const message = ['The authorized total would exceed the amount of the contract.']
    t.strictSame((await director.send('PATCH', `edificios/${id}/`, { monto: '101' })).json().errors, { monto: message })
    t.equal((await director.post('renglones/', line(id, 'A', '60'))).statusCode, 201)
    t.strictSame((await director.post('renglones/', line(id, 'B', '60'))).json().errors, { importe: message })
    t.strictSame((await director.post('renglones/bulk/', { items: [line(id, 'B', '40'), line(id, 'C')] })).json().errors, { 'items.1.importe': message })
    await psql('alter table edificios add constraint edificios_pagado_check check (pagado >= -5)')
    const refused = await director.post('abonos/', { edificio: id, importe: '-6' })
    t.strictSame([refused.statusCode, refused.json().errors], [400, { importe: ['With this amount, the sum that it is part of would not be valid.'] }], 'a check without a declared meaning')
    await psql('alter table edificios drop constraint edificios_pagado_check')
  })

  t.test('two writers at once both count', async (t) => {
    const { id } = await newWork()
    const statuses = await Promise.all(Array.from({ length: 6 }, async (_, index) => (await director.post('renglones/', line(id, `c${index}`, '1.5', '2'))).statusCode))
    t.strictSame(statuses, Array(6).fill(201))
    t.equal((await work(id)).monto, '18.00')
  })

  t.test('the state of the parent forbids writes', async (t) => {
    const { id } = await newWork()
    const { id: child } = (await director.post('renglones/', { ...line(id, 'A', '2', '10'), external_id: `w-${id}` })).json()
    await director.send('PATCH', `edificios/${id}/`, { estado: 'cerrada' })
    const detail = 'Amounts, period and generadores can only be changed while the estimate is a "borrador".'
    const refused = [
      await director.post('renglones/', line(id, 'B')), await director.send('PATCH', `renglones/${child}/`, { cantidad: '3' }), await director.send('DELETE', `renglones/${child}/`),
      await director.post('renglones/bulk/', { items: [line(id, 'B')] }), await director.post('renglones/bulk/', { items: [{ ...line(id, 'A'), external_id: `w-${id}` }], upsert: 'external_id' })
    ]
    for (const response of refused) t.match([response.statusCode, response.json()], [409, { detail, code: 'conflict' }])
    const mixed = await director.post('renglones/bulk/', { items: [line(id, 'B'), line(99_999, 'B')] })
    t.strictSame([mixed.statusCode, Object.keys(mixed.json().errors)], [400, ['items.1.edificio']])
    t.equal((await director.send('PATCH', `renglones/${child}/`, { sha256: 'a'.repeat(64), cantidad: '2' })).statusCode, 200, 'a field that stays writable')
    t.equal((await director.post('renglones/bulk/', { items: [{ ...line(id, 'A', '2', '10'), sha256: 'b'.repeat(64), external_id: `w-${id}` }], upsert: 'external_id' })).statusCode, 201)
    for (const [text, values] of [[insert, [id, 'C', 1, 1]], ['update renglones set cantidad = 9 where id = $1', [child]], ['delete from renglones where id = $1', [child]]] as const) {
      t.equal(await constraintOf(psql(text, [...values])), 'renglones_writable', text)
    }
    await psql('update renglones set sha256 = null where id = $1', [child])
    t.equal((await work(id)).monto, '20.00')
    t.equal((await director.send('DELETE', `edificios/${id}/`)).statusCode, 204, 'a deletion of the parent is not a write of its lines')
  })

  t.test('a closing of the parent and a write at once: one order or the other', async (t) => {
    for (let round = 0; round < 5; round++) {
      const { id } = await newWork()
      const [closed, made] = await Promise.all([director.send('PATCH', `edificios/${id}/`, { estado: 'cerrada' }), director.post('renglones/', line(id, 'A'))])
      t.equal(closed.statusCode, 200)
      t.ok([201, 409].includes(made.statusCode))
      t.equal((await work(id)).monto, made.statusCode === 201 ? '1.00' : '0.00')
    }
  })

  t.test('a payment changes the state of its work, and its deletion changes it back', async (t) => {
    const { id } = await newWork({ monto: '100' })
    await director.send('PATCH', `edificios/${id}/`, { estado: 'cerrada' })
    const revision = async () => Number((await psql('select revision from company_revisions where company_id = 1'))[0]?.['revision'])
    t.equal((await director.post('abonos/', { edificio: id, importe: '40' })).statusCode, 201)
    const before = await work(id)
    t.match(before, { estado: 'cerrada', pagado: '40.00' })
    const known = await revision()
    const last = (await director.post('abonos/', { edificio: id, importe: '60' })).json()
    const after = await work(id)
    t.match(after, { estado: 'pagada', pagado: '100.00' })
    t.ok(after.version > before.version)
    const [change] = await psql("select max(revision) as revision from changes where resource = 'edificios' and record_id = $1", [id])
    t.ok(change?.['revision'] > known && change?.['revision'] <= await revision(), 'the change log has the change of the work')
    t.equal((await director.send('DELETE', `abonos/${last.id}/`)).statusCode, 204)
    t.match(await work(id), { estado: 'cerrada', pagado: '40.00' })
    await psql('insert into abonos (company_id, edificio_id, importe) select company_id, id, 60 from edificios where id = $1', [id])
    t.equal((await work(id)).estado, 'pagada', 'also for psql')
  })
})
