import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { attaching, described } from '../../../../../support/attaching.ts'
import { ingreso, invoiceWith, relatedTo, sample } from '../../../../../support/cfdi.ts'
import { None } from '../../../../../support/none.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const xml = 'application/xml'

t.test('invoices that are attached to estimates', async (t) => {
  const { as, content, director, psql, put } = await attaching(t, { RATE_LIMIT: 'off' })
  let made = 0
  const contraparte = async (rfc: string | null, tipo: string) => succeeded(await director.post('contrapartes/', { nombre: `Parte ${++made}`, rfc, tipo })).id as number
  const subcontractor = await contraparte(ingreso.emisor, 'subcontratista')
  const contractWith = async (fields: object = {}) => succeeded(await director.post('contracts/', {
    folio: `F-${++made}`, monto: '100000.00', anticipo_porcentaje: '10.00', retencion_porcentaje: '5.00', contraparte: subcontractor, ...fields
  })).id as number
  const estimateOf = async (contract: number, fields: object = {}) => succeeded(await director.post('estimates/', { contract, monto: '1500.00', ...fields })) as Row
  const read = async (id: number) => succeeded(await director.get(`estimates/${id}/`)) as Row
  const attach = async ({ id, contract }: Row, file: Buffer, fields: object = {}) =>
    succeeded(await director.post('adjuntos/', { ...described(file, xml), contract, estimate: id, ...fields })) as Row
  const send = async (id: number, file: Buffer) => {
    const answer = await put(id, file)
    if (answer.status !== 200) throw new Error(await answer.text())
    return await answer.json() as Row
  }
  /** Attaches a file, and sends its bytes. @returns the estimate afterwards */
  const invoiced = async (estimate: Row, file: Buffer) => {
    const attached = await attach(estimate, file)
    if (attached['estado'] === 'pendiente') await send(attached['id'], file)
    return await read(estimate['id'])
  }
  const estimate = async (fields: object = {}, own: object = {}) => await estimateOf(await contractWith(fields), own)
  const change = async (id: number, fields: object) => succeeded(await director.send('PATCH', `estimates/${id}/`, fields)) as Row
  const fresh = (changes: Partial<typeof ingreso> = {}) => {
    const uuid = randomUUID()
    return { uuid, file: invoiceWith({ uuid: uuid.toUpperCase(), ...changes }) }
  }

  await t.test('fill an empty factura_uuid, with revision, history and change log', async (t) => {
    const one = await estimate()
    const file = sample('ingreso')
    const { id } = await attach(one, file) as { id: number }
    t.match(await read(one['id']), { factura_uuid: null, version: 1, avisos: None }, 'nothing before the bytes are there')
    const { cursor } = (await director.get('changes/?resources=estimates,adjuntos&page_size=1000')).json()
    const uuid = ingreso.uuid.toLowerCase()
    t.match(await send(id, file), {
      estado: 'listo', cfdi_uuid: uuid, cfdi_tipo: 'I', cfdi_emisor: ingreso.emisor, cfdi_receptor: ingreso.receptor, cfdi_total: '1487.70', cfdi_moneda: 'MXN', cfdi_fecha: '2026-04-02'
    })
    t.match(await read(one['id']), { factura_uuid: uuid, version: 2, neto: '1487.70', avisos: None })
    t.match((await director.get(`changes/?cursor=${cursor}`)).json().changes.toSorted((a: Row, b: Row) => a['resource'] < b['resource'] ? -1 : 1), [
      { resource: 'adjuntos', id, record: { estado: 'listo', cfdi_uuid: uuid, cfdi_total: '1487.70', cfdi_fecha: '2026-04-02' } },
      { resource: 'estimates', id: one['id'], record: { factura_uuid: uuid } }
    ])
    const user = (await director.get('me/')).json().id
    const [last] = (await director.get(`history/?resource=estimates&record=${one['id']}`)).json().results
    t.match(last, { operation: 'update', user: { id: user }, fields: { factura_uuid: [null, uuid] } })
    const [noted] = (await director.get(`history/?resource=adjuntos&record=${id}`)).json().results
    t.match(noted, { fields: { estado: ['pendiente', 'listo'], cfdi_uuid: [null, uuid], cfdi_total: [null, 1487.7] } })
    t.match((await director.get(`adjuntos/?cfdi_uuid=${ingreso.uuid}`)).json(), { count: 1, results: [{ id }] })
    t.equal((await director.send('DELETE', `adjuntos/${id}/`)).statusCode, 204)
    t.match(await read(one['id']), { factura_uuid: uuid, avisos: None }, 'a deleted attachment does not clear it')
  })

  await t.test('do not replace a factura_uuid', async (t) => {
    const given = randomUUID()
    const one = await estimate({}, { factura_uuid: given })
    const { uuid, file } = fresh()
    t.match(await invoiced(one, file), { factura_uuid: given, version: 1, avisos: ['factura_distinta'] })
    t.match(await change(one['id'], { factura_uuid: uuid }), { factura_uuid: uuid, avisos: None }, 'the warning ends when it is that of the file')
    t.match(await invoiced(one, fresh().file), { factura_uuid: uuid, avisos: None }, 'further invoices do not matter')
    t.match(await change(one['id'], { factura_uuid: null }), { factura_uuid: null, avisos: ['factura_distinta'] }, 'a user can clear it')
  })

  await t.test('replace the factura_uuid that they name as replaced (relation 04), whoever attaches them', async (t) => {
    const [original, first, second, third] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
    const substitute = (uuid: string, tipo: string, of: string) => invoiceWith({ uuid: uuid.toUpperCase() }, relatedTo(tipo, of.toUpperCase()))
    const one = await estimate()
    const file = invoiceWith({ uuid: original.toUpperCase() })
    t.match(await invoiced(one, file), { factura_uuid: original, avisos: None })
    t.match(await invoiced(one, substitute(randomUUID(), '01', original)), { factura_uuid: original, version: 2 }, 'another relation replaces nothing')
    t.match(await invoiced(one, substitute(randomUUID(), '04', randomUUID())), { factura_uuid: original, version: 2 }, 'nor a substitute of another invoice')
    t.match(await invoiced(one, substitute(first, '04', original)), { factura_uuid: first, version: 3, avisos: None })
    const [entry] = (await director.get(`history/?resource=estimates&record=${one['id']}`)).json().results
    t.match(entry, { operation: 'update', fields: { factura_uuid: [original, first] } })
    await attach(one, file, { nombre: 'otra-vez.xml' })
    t.match(await read(one['id']), { factura_uuid: first, version: 3 }, 'an original that is attached later does not')

    // Bytes that are known: by a bulk, a mutation, and psql.
    const contract = one['contract']
    const known = async (file: Buffer) => await send(succeeded(await director.post('adjuntos/', { ...described(file, xml), contract }))['id'], file)
    const [by, then] = [substitute(second, '04', first), substitute(third, '04', second)]
    for (const file of [by, then]) await known(file)
    succeeded(await director.post('adjuntos/bulk/', { items: [{ ...described(by, xml), contract, estimate: one['id'] }] }))
    t.match(await read(one['id']), { factura_uuid: second, version: 4 })
    const mutation = { id: 1, op: 'create', resource: 'adjuntos', body: { ...described(then, xml), contract, estimate: one['id'] } }
    t.match((await director.post('mutations/', { device: randomUUID(), mutations: [mutation] })).json(), { results: [{ status: 201 }] })
    t.match(await read(one['id']), { factura_uuid: third, version: 5 })
    await change(one['id'], { factura_uuid: first })
    const [{ company }] = await psql('select company_id as company from contracts where id = $1', [contract]) as [Row]
    const { bytes, sha256 } = described(by, xml)
    await psql("insert into adjuntos (company_id, contract_id, estimate_id, nombre, tipo, bytes, sha256) values ($1, $2, $3, 'psql.xml', $4, $5, $6)", [company, contract, one['id'], xml, bytes, sha256])
    t.match(await read(one['id']), { factura_uuid: second })

    const other = await estimate({}, { factura_uuid: original })
    t.match(await invoiced(other, by), { factura_uuid: original }, 'not the substitute of another one')
    const taken = await estimate({}, { factura_uuid: first })
    t.match(await invoiced(taken, by), { factura_uuid: first, avisos: ['factura_distinta', 'factura_repetida'] }, 'nor one that another estimate has')
  })

  await t.test('that another estimate has are no second time filled in', async (t) => {
    const { uuid, file } = fresh()
    const contract = await contractWith()
    const drafts = [await estimateOf(contract), await estimateOf(contract)]
    const attached = []
    for (const draft of drafts) attached.push(await attach(draft, file))
    await send(attached[1]?.['id'], file)
    t.match((await director.get(`adjuntos/${attached[0]?.['id']}/`)).json(), { estado: 'listo', cfdi_uuid: uuid }, 'both attachments get their bytes at once')
    const both = [await read(drafts[0]?.['id']), await read(drafts[1]?.['id'])]
    const [has, lacks] = both.toSorted((a, b) => a['factura_uuid'] === uuid ? -1 : b['factura_uuid'] === uuid ? 1 : 0) as [Row, Row]
    t.match([has, lacks], [{ factura_uuid: uuid, avisos: None }, { factura_uuid: null, version: 1, avisos: ['factura_distinta', 'factura_repetida'] }])
    await change(has['id'], { estado: 'cancelada' })
    t.match(await read(lacks['id']), { factura_uuid: null, avisos: ['factura_distinta'] }, 'a cancelled one does not count')
    t.match(await read(has['id']), { avisos: None }, 'and has no warnings')
    const three = await estimateOf(contract)
    t.match(await attach(three, file), { estado: 'listo', version: 1, cfdi_uuid: uuid }, 'bytes that are known are read at once')
    t.match(await read(three['id']), { factura_uuid: uuid, version: 2, avisos: None })
  })

  await t.test('of bulks, mutations and psql are the same', async (t) => {
    const { uuid, file } = fresh()
    const contract = await contractWith()
    const known = succeeded(await director.post('adjuntos/', { ...described(file, xml), contract }))
    t.match(await send(known['id'], file), { cfdi_uuid: uuid, estimate: null })
    const items: Row[] = []
    for (let n = 0; n < 3; n++) items.push({ ...described(file, xml), contract, estimate: (await estimateOf(contract))['id'] })
    const { results } = succeeded(await director.post('adjuntos/bulk/', { items })) as { results: Row[] }
    t.match(results, items.map(() => ({ estado: 'listo', cfdi_uuid: uuid })))
    const filled = async () => await psql('select array_agg(id order by id) as ids from estimates where factura_uuid = $1', [uuid])
    t.strictSame(await filled(), [{ ids: [items[0]?.['estimate']] }])
    const [entry] = (await director.get(`history/?resource=estimates&record=${items[0]?.['estimate']}`)).json().results
    t.match(entry, { fields: { factura_uuid: [null, uuid] }, user: { id: (await director.get('me/')).json().id } })

    await change(items[0]?.['estimate'], { factura_uuid: null })
    const mutation = { id: 1, op: 'create', resource: 'adjuntos', body: items[1] }
    t.match((await director.post('mutations/', { device: randomUUID(), mutations: [mutation] })).json(), { results: [{ status: 201 }] })
    t.strictSame(await filled(), [{ ids: [items[1]?.['estimate']] }])

    await change(items[1]?.['estimate'], { factura_uuid: null })
    const [{ company }] = await psql('select company_id as company from contracts where id = $1', [contract]) as [Row]
    const { bytes, sha256 } = described(file, xml)
    const values = [company, contract, items[2]?.['estimate'], xml, bytes, sha256]
    await psql("insert into adjuntos (company_id, contract_id, estimate_id, nombre, tipo, bytes, sha256) values ($1, $2, $3, 'psql.xml', $4, $5, $6)", values)
    t.strictSame(await filled(), [{ ids: [items[2]?.['estimate']] }])
  })

  await t.test('of several users at once are noted with their users', async (t) => {
    const { file } = fresh()
    const [another, first] = [await as('coordinador@demo.example'), await contractWith()]
    await send(succeeded(await director.post('adjuntos/', { ...described(file, xml), contract: first }))['id'], file)
    const ids = await Promise.all([director, another, director, another].map(async (client) => {
      const other = fresh()
      const one = await estimate()
      await send(succeeded(await director.post('adjuntos/', { ...described(other.file, xml), contract: one['contract'] }))['id'], other.file)
      return { client, one, body: { ...described(other.file, xml), contract: one['contract'], estimate: one['id'] } }
    }))
    await Promise.all(ids.map(async ({ client, body }) => succeeded(await client.post('adjuntos/', body))))
    for (const { client, one } of ids) {
      const [entry] = (await director.get(`history/?resource=estimates&record=${one['id']}`)).json().results
      t.match(entry, { fields: { factura_uuid: [null, String] }, user: { id: (await client.get('me/')).json().id } })
    }
  })

  await t.test('fill estimates in all states but rejected and cancelled ones', async (t) => {
    const way: Record<string, string[]> = {
      borrador: [], enviada: ['enviada'], autorizada: ['enviada', 'autorizada'], pagada: ['enviada', 'autorizada', 'pagada'], rechazada: ['enviada', 'rechazada'], cancelada: ['cancelada']
    }
    for (const [estado, states] of Object.entries(way)) {
      const one = await estimate()
      for (const state of states) await change(one['id'], { estado: state, ...state === 'rechazada' ? { motivo_rechazo: 'No' } : {} })
      const { uuid, file } = fresh()
      const isLive = estado !== 'rechazada' && estado !== 'cancelada'
      t.match(await invoiced(one, file), { estado, factura_uuid: isLive ? uuid : null, avisos: None }, estado)
    }
    const closed = await contractWith()
    const one = await estimateOf(closed)
    succeeded(await director.send('PATCH', `contracts/${closed}/`, { estado: 'cancelado' }))
    const { uuid, file } = fresh()
    t.match(await invoiced(one, file), { factura_uuid: uuid }, 'also of a cancelled contract, as by PATCH')
  })

  await t.test('fill nothing if they are no invoices of income, and there is no error', async (t) => {
    for (const name of ['egreso', 'pago', 'nomina', 'ingreso-3.3']) {
      const one = await estimate()
      const file = sample(name)
      const attached = await send((await attach(one, file))['id'], file)
      t.match(attached, { estado: 'listo', cfdi_tipo: { egreso: 'E', pago: 'P' }[name] ?? null }, name)
      t.match(await read(one['id']), { factura_uuid: null, version: 1, avisos: None }, name)
    }
    const bomb = Buffer.from(sample('ingreso').toString().replace('?>', '?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'))
    const one = await estimate()
    const { id } = await attach(one, bomb)
    const answer = await put(id, bomb)
    t.equal(answer.status, 400)
    t.match(await answer.json(), { codes: { tipo: ['wrong_type'] } }, 'entities are refused')
    t.match(await read(one['id']), { factura_uuid: null })
  })

  await t.test('warn about another total', async (t) => {
    const totals = async (one: Row, good: string[], bad: string[]) => {
      for (const total of [...good, ...bad]) {
        const { uuid, file } = fresh({ total })
        await invoiced(one, file)
        t.match(await change(one['id'], { factura_uuid: uuid }), { avisos: good.includes(total) ? None : ['factura_total'] }, total)
      }
    }
    // 1500.00 − 150.00 − 67.50 = 1282.50, and 16 %. The whole advance is billed: 1432.50 and 16 %.
    await totals(await estimate(), ['1487.70', '1487.700000', '1661.70'], ['1487.69', '1487.71', '1487.701', '1500.00', '1282.50', '0'])
    // After tax: 1350.00 and 16 % are 1566.00, the retention 67.50, the fee 7.50.
    const after = await estimate({ retencion_antes_iva: false, derechos_porcentaje: '0.50' })
    await totals(after, ['1566.00', '1498.50', '1558.50', '1491.00', '1740.00'], ['1565.99', '1487.70'])
    // Withheld taxes are 16.88 and 100.00, a penalty is 50.00.
    for (const movement of [{ tipo: 'impuesto', motivo: 'ISR', porcentaje: '1.25', base: 'subtotal' }, { tipo: 'impuesto', motivo: 'IVA', importe: '100.00' }, { tipo: 'pena', motivo: 'Atraso', importe: '50.00' }]) {
      succeeded(await director.post('movimientos/', { estimate: after['id'], antes_iva: false, ...movement }))
    }
    t.match(await read(after['id']), { cargos_despues_iva: '166.88', neto: '1324.12' })
    await totals(after, ['1449.12', '1399.12', '1324.12', '1566.00'], ['1516.00', '1466.00'])
    for (const estado of ['enviada', 'autorizada']) await change(after['id'], { estado })
    await totals(after, ['1449.12', '1324.12'], ['1516.00'])
  })

  await t.test('warn about another currency, whose amounts are not compared', async (t) => {
    const { file } = fresh({ moneda: 'USD', total: '80.00' })
    t.match(await invoiced(await estimate(), file), { avisos: ['factura_moneda'] })
    t.match(await invoiced(await estimate({ moneda: 'USD' }), fresh({ moneda: 'USD', total: '80.00' }).file), { avisos: ['factura_total'] })
    t.match(await invoiced(await estimate({ moneda: 'USD' }), fresh({ moneda: 'USD' }).file), { avisos: None })
    t.strictSame((await director.get('estimates/?page_size=1')).json().results.filter((item: object) => 'avisos' in item), [], 'a list has no warnings')
  })

  await t.test('warn about another RFC', async (t) => {
    const other = 'OTR040506IJ5'
    const cases: Array<[tipo: string, emisor: string, receptor: string, isRight: boolean]> = [
      ['cliente', other, ingreso.emisor, true], ['cliente', ingreso.emisor, other, false],
      ['proveedor', ingreso.emisor, other, true], ['proveedor', other, ingreso.emisor, false],
      ['subcontratista', other, other, false], ['otro', ingreso.emisor, other, true], ['otro', other, ingreso.emisor, true], ['otro', other, other, false]
    ]
    for (const [tipo, emisor, receptor, isRight] of cases) {
      const one = await estimate({ contraparte: await contraparte(ingreso.emisor, tipo) })
      t.match(await invoiced(one, fresh({ emisor, receptor }).file), { avisos: isRight ? None : ['factura_rfc'] }, `${tipo} ${emisor} ${receptor}`)
    }
    for (const contraparteOf of [null, await contraparte(null, 'proveedor')]) {
      t.match(await invoiced(await estimate({ contraparte: contraparteOf }), fresh({ emisor: other }).file), { avisos: None }, 'nothing to compare with')
    }
    const all = fresh({ emisor: other, total: '1.00' })
    t.match(await invoiced(await estimate(), all.file), { factura_uuid: all.uuid, avisos: ['factura_total', 'factura_rfc'] }, 'a warning refuses nothing')
  })

  await t.test('of another company are not seen', async (t) => {
    const { uuid, file } = fresh()
    const owner = await as('director@otra.example')
    const { id: contract } = succeeded(await owner.post('contracts/', { folio: `OTRA-${++made}`, monto: '2000.00' }))
    const { id } = succeeded(await owner.post('estimates/', { contract, monto: '1.00' }))
    const attached = succeeded(await owner.post('adjuntos/', { ...described(file, xml), contract, estimate: id }))
    t.equal((await put(attached['id'], file, owner)).status, 200)
    t.match((await owner.get(`estimates/${id}/`)).json(), { factura_uuid: uuid })
    t.match(await invoiced(await estimate(), file), { factura_uuid: uuid, avisos: None })
    t.equal((await content(attached['id'])).status, 404)
  })

  await t.test('are read at the last byte of a resumable upload too', async (t) => {
    const { uuid, file } = fresh()
    const one = await estimate()
    const { id } = await attach(one, file) as { id: number }
    for (const [offset, part] of [[0, file.subarray(0, 1000)], [1000, file.subarray(1000)]] as const) {
      t.match(await read(one['id']), { factura_uuid: null })
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': `${offset}`, 'content-type': 'application/offset+octet-stream' }
      t.equal((await content(id, { method: 'PATCH', body: new Uint8Array(part), headers })).status, 204)
    }
    t.match(await read(one['id']), { factura_uuid: uuid })
  })

  await t.test('cannot be given by bodies', async (t) => {
    const { file } = fresh()
    const one = await estimate()
    t.match(await attach(one, file, { cfdi_uuid: randomUUID(), cfdi_tipo: 'I', cfdi_total: '1.00' }), { cfdi_uuid: null, cfdi_tipo: null, cfdi_total: null })
    t.match(await read(one['id']), { factura_uuid: null })
  })

  await t.test('are the only XML that changes an estimate, and no XML gets a 5xx', async (t) => {
    const contract = await contractWith({ monto: '1000000.00' })
    const text = fc.oneof(
      fc.constantFrom('<cfdi:Emisor Rfc="XAXX010101000"/>', '<cfdi:Complemento>', '</cfdi:Complemento>', ' Version="3.3"', '\0', '\uffff', '<x:y/>', '&lt;'),
      fc.string({ maxLength: 30 })
    )
    const edits = fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat(300), put: text }), { maxLength: 3 })
    const tipo = fc.constantFrom('I', 'I', 'E', 'P', 'T', 'N', 'X')
    await fc.assert(fc.asyncProperty(tipo, edits, async (tipo, edits) => {
      const { uuid, file } = fresh({ tipo })
      const sent = Buffer.from(edits.reduce((all, { at, cut, put }) => {
        const start = Math.floor(at * all.length)
        return all.slice(0, start) + put + all.slice(start + cut)
      }, file.toString()))
      const one = await estimateOf(contract, { monto: '1.00' })
      const attached = await attach(one, sent)
      const answer = await put(attached['id'], sent)
      const { cfdi_tipo: kind, cfdi_uuid: found } = (await director.get(`adjuntos/${attached['id']}/`)).json()
      const { factura_uuid: invoice } = await read(one['id'])
      t.ok(answer.status === 200 || answer.status === 400, `${answer.status}`)
      t.equal(invoice, kind === 'I' ? found : null)
      if (edits.length === 0) t.equal(invoice, tipo === 'I' ? uuid : null)
    }), { numRuns: 40 })
  })
})
