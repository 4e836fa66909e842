import t from 'tap'
import { Device } from '../../../../../support/device.ts'
import type { Client } from '../../../../../support/helper.ts'
import { None } from '../../../../../support/none.ts'
import { paying } from '../../../../../support/paying.ts'
import { lockWait, openSession } from '../../../../../support/session.ts'
import { succeeded } from '../../../../../support/succeeded.ts'
import { server } from '../../../../../support/template.ts'
import { textOfPdf } from '../../../../../support/text-of-pdf.ts'

const { as, env, director, contract, estimate, psql } = await paying(t)
const root = await as('superusuario@demo.example')
const rename = async (nombre: string, client: Client = root) => succeeded(await client.send('PATCH', 'companies/1/', { nombre }))

/** The forms of a report with the name, and what they show. The CSV is a table without it, and its ETag is a digest. */
const forms = {
  'application/json': (_: Buffer, body: string) => body,
  'application/pdf': async (bytes: Buffer) => await textOfPdf(bytes)
}

t.test('a report has the new name of the company at once', async (t) => {
  const id = await contract({ monto: '10000' })
  await estimate(id, { monto: '1000' }, 'autorizada')
  // The sheet of an authorized estimate keeps the name.
  const { id: document } = await estimate(id, { monto: '1000' }, 'borrador')
  const ways: Array<(nombre: string) => Promise<unknown>> = [rename, async nombre => await psql('update companies set nombre = $1 where id = 1', [nombre])]
  for (const [index, change] of ways.entries()) {
    for (const url of [`estimates/${document}/caratula/`, `contracts/${id}/estado-de-cuenta/`]) {
      const read = async (accept: string, known?: unknown) => await director.get(url, { accept, 'accept-language': 'es', ...known === undefined ? {} : { 'if-none-match': String(known) } })
      const tags = new Map<string, unknown>()
      for (const accept of Object.keys(forms)) {
        const { etag } = (await read(accept)).headers
        tags.set(accept, etag)
        t.equal((await read(accept, etag)).statusCode, 304, `${url} ${accept} is known`)
      }
      const table = await read('text/csv')
      const nombre = `Obra ${index} ${url.slice(0, 5)}`
      await change(nombre)
      for (const [accept, textOf] of Object.entries(forms)) {
        const { statusCode, headers, rawPayload, body } = await read(accept, tags.get(accept))
        t.equal(statusCode, 200, `${url} ${accept} is not the known one`)
        t.not(headers.etag, tags.get(accept))
        t.ok((await textOf(rawPayload, body)).includes(nombre), `${url} ${accept} has ${nombre}`)
      }
      t.strictSame((await read('text/csv', table.headers.etag)).statusCode, 304, `${url} is the same table`)
    }
  }
})

t.test('a device continues after a new name, which is no change of its records', async (t) => {
  const device = new Device(director.get)
  await device.sync()
  const { size } = device.records
  for (let times = 0; times < 2; times++) {
    const { cursor } = device
    await rename(`Obra dispositivo ${times}`)
    const waited = await director.get(`changes/?cursor=${cursor}`, { prefer: 'wait=20' })
    t.match(waited.json(), { changes: None, has_more: false })
    t.not(waited.json().cursor, cursor, 'the wait ended with the new revision')
    await device.sync()
  }
  const { cursor } = device
  const { id } = succeeded(await director.post('contrapartes/', { nombre: 'Posterior' }))
  t.match(succeeded(await director.get(`changes/?cursor=${cursor}`)).changes, [{ resource: 'contrapartes', id }])
  await device.sync()
  t.strictSame([device.resyncs, device.faults, device.records.size], [[], [], size + 1])
})

t.test('a search finds what was written after a new name', async (t) => {
  await rename('Obra buscada')
  const { id } = succeeded(await director.post('contracts/', { folio: 'TRAS-NOMBRE', descripcion: 'Escollera' }))
  await psql('select * from search.index_changes(0, 0, 1000)')
  t.match(succeeded(await director.get('contracts/?search=escollera')).results, [{ id }])
})

const skip = server === undefined && 'the embedded database has one session'

t.test('a rename waits for other writers of the company before it locks the row, which their foreign keys need', { skip }, async (t) => {
  const writer = await openSession(t, env)
  await writer.query('begin')
  await writer.query('select lock_companies(array[1])')
  const renamed = rename('Obra en cola')
  await lockWait(psql)
  await writer.query('select from companies where id = 1 for key share nowait')
  await writer.query("insert into contrapartes (company_id, nombre) values (1, 'En cola')")
  await writer.query('commit')
  t.match(await renamed, { nombre: 'Obra en cola' })
})
