import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { Row } from '../../../../../../src/database/connection/sql.ts'
import { attaching, described, fileOf } from '../../../../../support/attaching.ts'
import { refuses } from '../../../../../support/invalid.ts'
import { succeeded } from '../../../../../support/succeeded.ts'

const kept = { detail: 'The file belongs to an authorized estimate or to a signed change order, so it can no longer be deleted.', code: 'conflict' }

/** Media types of bodies, and those of answers. */
const mediaTypes = [
  ['image/jpg', 'image/jpeg'],
  ['IMAGE/JPEG', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/jpeg; charset=binary', 'image/jpeg'],
  ['image/heif', 'image/heic'],
  ['text/xml;charset=utf-8', 'application/xml']
] as const

t.test('attachments', async (t) => {
  const { attach, contract, director, as, put, psql } = await attaching(t)
  let files = 0
  const next = () => fileOf('image/jpeg', `registro ${++files}`)
  const post = async (url: string, body: object): Promise<Row> => succeeded(await director.post(url, body))
  const change = async (url: string, body: object): Promise<Row> => succeeded(await director.send('PATCH', url, body))
  const remove = async (url: string) => await director.send('DELETE', url)
  const exists = async (id: number) => (await director.get(`adjuntos/${id}/`)).statusCode === 200
  const complete = async (fields: object) => {
    const file = next()
    const { id } = await attach(file, fields) as { id: number }
    t.equal((await put(id, file)).status, 200)
    return id
  }
  /** A contract with an estimate that has a line. */
  const measured = async () => {
    const of = await contract()
    const concepto = (await post('conceptos/', { contract: of, clave: 'A', unidad: 'm2', cantidad: '100', precio_unitario: '10' }))['id']
    const estimate = (await post('estimates/', { contract: of }))['id'] as number
    const generador = (await post('generadores/', { estimate, concepto, cantidad: '10' }))['id'] as number
    return { contract: of, estimate, generador }
  }
  const authorize = async (estimate: number) => {
    await change(`estimates/${estimate}/`, { estado: 'enviada' })
    await change(`estimates/${estimate}/`, { estado: 'autorizada' })
  }
  const signed = async (of: number) => {
    const { id } = await post('convenios/', { contract: of, monto: '10' }) as { id: number }
    await change(`convenios/${id}/`, { estado: 'enviado' })
    await change(`convenios/${id}/`, { estado: 'autorizado', fecha_autorizacion: '2026-04-20' })
    return await change(`convenios/${id}/`, { estado: 'firmado', fecha_firma: '2026-05-04' }) as { id: number }
  }

  await t.test('have the fields of a file, which only a new one gets', async (t) => {
    const of = await contract()
    const file = next()
    const add = async (body: object) => await director.post('adjuntos/', { ...described(file, 'image/jpeg'), contract: of, ...body })
    t.match(succeeded(await add({ sha256: described(file, '').sha256.toUpperCase(), tomada_en: '2026-03-14T10:20:00-06:00', estado: 'listo' })), {
      sha256: described(file, '').sha256, tomada_en: '2026-03-14T16:20:00.000000Z', estado: 'pendiente', estimate: null, pago: null
    })
    refuses(t, await add({ bytes: 0 }), { bytes: ['Ensure this value is greater than or equal to 1.'] })
    refuses(t, await add({ bytes: 26214401 }), { bytes: ['Ensure this value is less than or equal to 26214400.'] })
    refuses(t, await add({ sha256: 'x' }), { sha256: ['Must be a SHA-256 hash: 64 hexadecimal digits.'] })
    refuses(t, await add({ nombre: 'a\0b' }), { nombre: ['Null characters are not allowed.'] })
    refuses(t, await add({ nombre: '\ud800' }), { nombre: ['Not a valid string.'] })
    for (const tipo of ['image/svg+xml', 'text/html', 'application/zip']) t.match((await add({ tipo })).json().codes, { tipo: ['invalid_choice'] }, tipo)
    for (const [name, tipo] of mediaTypes) {
      t.equal(succeeded(await add({ tipo: name })).tipo, tipo, name)
      const item = { ...described(file, name), contract: of }
      t.match((await director.post('adjuntos/bulk/', { items: [item] })).json(), { results: [{ tipo }] }, `${name} in a bulk`)
      const mutations = [{ id: 1, op: 'create', resource: 'adjuntos', body: item }]
      const [{ record: { id: made } }] = (await director.post('mutations/', { device: randomUUID(), mutations })).json().results
      t.match((await director.get(`adjuntos/${made}/`)).json(), { tipo }, `${name} in mutations`)
    }
    t.equal((await director.get(`adjuntos/?tipo=IMAGE/JPG&contract=${of}`)).statusCode, 200)
    const { id } = succeeded(await add({}))
    const fixed = { bytes: 201, sha256: 'a'.repeat(64), contract: await contract() }
    refuses(t, await director.send('PATCH', `adjuntos/${id}/`, fixed), Object.fromEntries(Object.keys(fixed).map(field => [field, ['This field cannot be changed.']])))
    t.match(await change(`adjuntos/${id}/`, { nombre: '../../etc/passwd', descripcion: 'otra' }), { nombre: '../../etc/passwd', descripcion: 'otra' })
    t.match((await director.get(`adjuntos/?search=passwd&contract=${of}&estado=pendiente`)).json(), { count: 1 })
  })

  await t.test('belong to records of their contract', async (t) => {
    const { contract: of, estimate, generador } = await measured()
    const file = next()
    const record = await attach(file, { contract: of, estimate, generador })
    t.match(record, { estimate, generador, convenio: null })
    t.match((await director.get(`adjuntos/?generador=${generador}`)).json(), { results: [{ id: record['id'] }] })
    const convenio = (await post('convenios/', { contract: of }))['id']
    const other = { ...described(file, 'image/jpeg'), contract: await contract() }
    for (const reference of [{ estimate }, { generador }, { convenio }]) {
      const [field] = Object.keys(reference)
      t.match((await director.post('adjuntos/', { ...other, ...reference })).json(), { codes: { [String(field)]: ['other_contract'] } })
    }
    await t.rejects(psql(`insert into adjuntos (company_id, contract_id, estimate_id, nombre, tipo, bytes, sha256) select company_id, id, ${estimate}, 'x', 'image/jpeg', 1, repeat('a', 64) from contracts where id = ${other.contract}`), /adjuntos_estimate_foreign/)
  })

  await t.test('are deleted with the record that they name, but protect their contract', async (t) => {
    const { contract: of, estimate, generador } = await measured()
    const convenio = (await post('convenios/', { contract: of }))['id'] as number
    const [ofContract, ofEstimate, ofLine, ofOrder] = [await complete({ contract: of }), await complete({ contract: of, estimate }), await complete({ contract: of, generador }), await complete({ contract: of, convenio })]
    t.equal((await remove(`generadores/${generador}/`)).statusCode, 204)
    t.notOk(await exists(ofLine))
    t.equal((await remove(`estimates/${estimate}/`)).statusCode, 204)
    t.notOk(await exists(ofEstimate))
    t.equal((await remove(`convenios/${convenio}/`)).statusCode, 204)
    t.notOk(await exists(ofOrder))
    const [concept] = (await director.get(`conceptos/?contract=${of}`)).json().results
    t.equal((await remove(`conceptos/${concept.id}/`)).statusCode, 204)
    t.match((await remove(`contracts/${of}/`)).json(), { code: 'protected', detail: 'This contract cannot be deleted while it has attachments (1).' })
    t.equal((await remove(`adjuntos/${ofContract}/`)).statusCode, 204)
    t.equal((await remove(`contracts/${of}/`)).statusCode, 204)
    const history = (await director.get(`history/?resource=adjuntos&record=${ofLine}`)).json().results
    t.match(history.map(({ operation, user }: Row) => [operation, user === null]), [['delete', false], ['update', false], ['insert', false]], 'the history has the user of each')
  })

  await t.test('of authorized and signed records can be added and not deleted', async (t) => {
    const { contract: of, estimate, generador } = await measured()
    await authorize(estimate)
    const { id: convenio } = await signed(of)
    const payment = (await post('pagos/', { estimate, importe: '1.00', fecha: '2026-04-15' }))['id'] as number
    for (const fields of [{ estimate }, { generador }, { convenio }]) {
      const id = await complete({ contract: of, ...fields })
      const refused = await remove(`adjuntos/${id}/`)
      t.equal(refused.statusCode, 409, JSON.stringify(fields))
      t.strictSame(refused.json(), kept)
      await t.rejects(psql('delete from adjuntos where id = $1', [id]), /belongs to an authorized or signed record/, 'also with psql')
      t.ok(await exists(id))
      t.match(await change(`adjuntos/${id}/`, { descripcion: 'Descrita después' }), { descripcion: 'Descrita después' })
      const { id: empty } = await attach(next(), { contract: of, ...fields }) as { id: number }
      t.equal((await remove(`adjuntos/${empty}/`)).statusCode, 204, 'one without bytes can be deleted')
    }
    const ofPayment = await complete({ contract: of, pago: payment })
    t.equal((await remove(`adjuntos/${ofPayment}/`)).statusCode, 204, 'the file of a payment can')
    const both = await complete({ contract: of, pago: payment, estimate })
    const refused = await remove(`pagos/${payment}/`)
    t.equal(refused.statusCode, 409, 'a payment whose file belongs to the estimate too cannot')
    t.strictSame(refused.json(), kept)
    t.ok(await exists(both))
    const undone = { ...await measured() }
    const draftFile = await complete({ contract: undone.contract, generador: undone.generador })
    await authorize(undone.estimate)
    t.equal((await remove(`adjuntos/${draftFile}/`)).statusCode, 409)
    await change(`estimates/${undone.estimate}/`, { estado: 'enviada' })
    t.equal((await remove(`adjuntos/${draftFile}/`)).statusCode, 204, 'after the authorization is undone')
  })

  await t.test('cannot become ready without bytes, also with psql', async (t) => {
    const { id } = await attach(next(), { contract: await contract() }) as { id: number }
    await psql("update adjuntos set estado = 'listo' where id = $1", [id])
    t.match((await director.get(`adjuntos/${id}/`)).json(), { estado: 'pendiente' })
    const [made] = await psql("insert into adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256, estado) select company_id, contract_id, 'x', tipo, bytes, sha256, 'listo' from adjuntos where id = $1 returning estado", [id])
    t.match(made, { estado: 'pendiente' })
  })

  await t.test('need level 2 for a write and level 1 for a read, of the bytes too', async (t) => {
    const file = next()
    const of = await contract()
    const { id } = await attach(file, { contract: of }) as { id: number }
    const reader = await as('auxiliar@demo.example')
    t.equal((await put(id, file, reader)).status, 403)
    const writer = await as('coordinador@demo.example')
    t.equal((await put(id, file, writer)).status, 200)
    t.equal((await reader.get(`adjuntos/${id}/contenido/`)).statusCode, 200)
    t.equal((await reader.send('DELETE', `adjuntos/${id}/`)).statusCode, 403)
    t.equal((await writer.send('DELETE', `adjuntos/${id}/`)).statusCode, 204)
    t.equal((await put(id, file, writer)).status, 404)
    t.equal((await reader.get(`adjuntos/${id}/contenido/`)).statusCode, 404)
  })
})
