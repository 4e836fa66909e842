import { existsSync, writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { cleanFiles } from '../../../../../../src/jobs/files/clean.ts'
import { attaching, described, fileOf, sha256Of } from '../../../../../support/attaching.ts'
import { fileStores, type FileStoreKind } from '../../../../../support/bucket.ts'

for (const kind of fileStores) t.test(`equal bytes of a company are stored once in a ${kind}`, async t => await storesOnce(t, kind))

async function storesOnce (t: Test, kind: FileStoreKind): Promise<void> {
  const { app, as, attach, contract, content, director, pathOf, put, psql, stored } = await attaching(t, {}, kind)
  const { files: { store }, database } = app
  const of = await contract()
  const northern = (await director.get('me/')).json().company as number
  const clean = async () => await cleanFiles(database, app.files)
  const known = async (file: Buffer) => await psql('select unused_since is null as used, removing from stored_files where sha256 = $1', [sha256Of(file)])
  const expire = async (file: Buffer, interval: string) => await psql(`update stored_files set unused_since = now() - interval '${interval}' where sha256 = $1`, [sha256Of(file)])
  const remove = async (id: number) => await director.send('DELETE', `adjuntos/${id}/`)

  await t.test('a new attachment of known bytes is ready at once, if the size is theirs', async (t) => {
    const file = fileOf('image/jpeg', 'conocida')
    const waiting = await attach(file, { contract: of })
    const first = await attach(file, { contract: of })
    t.equal((await put(first['id'], file)).status, 200)
    t.match((await director.get(`adjuntos/${waiting['id']}/`)).json(), { estado: 'listo', version: 2 }, 'also one that waited for the same bytes')
    t.match(await attach(file, { contract: of }), { estado: 'listo', version: 1 })
    t.match(await attach(file, { contract: of, bytes: file.length + 1 }), { estado: 'pendiente' })
    const { results } = (await director.post('adjuntos/bulk/', { items: [1, 2].map(n => ({ ...described(file, 'image/jpeg'), contract: of, nombre: `copia ${n}` })) })).json()
    t.match(results, [{ estado: 'listo' }, { estado: 'listo' }])
    t.match((await director.post('mutations/', {
      device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b11',
      mutations: [{ id: 1, op: 'create', resource: 'adjuntos', body: { ...described(file, 'image/jpeg'), contract: of } }]
    })).json(), { results: [{ status: 201 }] })
    const { count } = (await director.get(`adjuntos/?estado=listo&tipo=image/jpeg&contract=${of}`)).json()
    t.equal(count, 6)
    t.equal(stored().length, 1)
  })

  await t.test('another company cannot find out which bytes the first one has', async (t) => {
    const file = fileOf('image/jpeg', 'secreta')
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    const owner = await as('director@otra.example')
    const { id: theirs } = (await owner.post('contracts/', { folio: 'OTRA-1' })).json()
    const copy = await attach(file, { contract: theirs }, owner)
    t.match(copy, { estado: 'pendiente', version: 1 })
    t.equal((await content(copy['id'], {}, owner)).status, 409)
    t.equal((await put(copy['id'], file, owner)).status, 200)
    t.equal(stored().filter(path => path.endsWith(sha256Of(file))).length, 2)
    t.equal((await content(id, {}, owner)).status, 404)
    t.equal((await put(id, file, owner)).status, 404)
    await psql('delete from adjuntos where id = $1', [copy['id']])
    await expire(file, '25 hours')
    await psql('update stored_files set unused_since = null where company_id = $1', [northern])
    t.match(await clean(), { files: 1 })
    t.equal((await content(id)).status, 200, 'the bytes of the first company stay')
  })

  await t.test('the bytes are removed a day after their last attachment', async (t) => {
    const file = fileOf('image/jpeg', 'borrada')
    const path = pathOf(`${northern}/${sha256Of(file)}`)
    const ids = []
    for (let n = 0; n < 3; n++) ids.push((await attach(file, { contract: of }))['id'])
    t.equal((await put(ids[0], file)).status, 200)
    t.equal((await remove(ids[0])).statusCode, 204)
    await psql('delete from adjuntos where id = $1', [ids[1]])
    t.strictSame(await known(file), [{ used: true, removing: false }])
    t.match((await director.post('mutations/', {
      device: '0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f2b12', mutations: [{ id: 1, op: 'delete', resource: 'adjuntos', record: ids[2] }]
    })).json(), { results: [{ status: 204 }] })
    t.strictSame(await known(file), [{ used: false, removing: false }])
    await expire(file, '23 hours')
    t.match(await clean(), { files: 0 })
    t.ok(existsSync(path), 'within a day they stay')

    t.match(await attach(file, { contract: of }), { estado: 'listo' }, 'and a new attachment uses them')
    t.strictSame(await known(file), [{ used: true, removing: false }])
    await psql('delete from adjuntos where sha256 = $1', [sha256Of(file)])
    await expire(file, '25 hours')
    t.match(await clean(), { files: 1 })
    t.notOk(existsSync(path))
    t.strictSame(await known(file), [])
    t.match(await attach(file, { contract: of }), { estado: 'pendiente' })
    t.match(await clean(), { records: 0, uploads: 0, files: 0 }, 'each is removed once')
  })

  await t.test('a removal that was interrupted gives its bytes to no attachment, and is completed', async (t) => {
    const file = fileOf('image/jpeg', 'interrumpida')
    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    t.equal((await remove(id)).statusCode, 204)
    await expire(file, '25 hours')
    // The job marks the bytes, removes them, and is killed before its commit.
    await psql('update stored_files set removing = true where sha256 = $1', [sha256Of(file)])
    await store.remove({ company: northern, sha256: sha256Of(file) })
    const next = await attach(file, { contract: of })
    t.match(next, { estado: 'pendiente' })
    t.equal((await put(next['id'], file)).status, 200, 'an upload stores them again')
    t.match(await clean(), { files: 0 })
    t.equal((await content(next['id'])).status, 200)
    t.equal((await remove(next['id'])).statusCode, 204)
    await expire(file, '25 hours')
    await psql('update stored_files set removing = true where sha256 = $1', [sha256Of(file)])
    await store.remove({ company: northern, sha256: sha256Of(file) })
    t.match(await clean(), { files: 1 })
    t.strictSame(await known(file), [])
  })

  await t.test('an upload that was killed between its bytes and its commit leaves nothing', async (t) => {
    const file = fileOf('image/jpeg', 'muerta')
    const abandon = async () => await psql(`
      insert into uploads (id, company_id, sha256, bytes, begun_at)
      values (gen_random_uuid(), $1, $2, 200, now() - interval '2 hours')`, [northern, sha256Of(file)])
    const path = pathOf(`${northern}/${sha256Of(file)}`)
    const temporary = await store.temporary()
    writeFileSync(temporary, file)
    await abandon()
    await store.send(temporary, { company: northern, sha256: sha256Of(file) })
    await store.add(temporary, { company: northern, sha256: sha256Of(file) })
    t.ok(existsSync(path))
    t.match(await clean(), { uploads: 1 })
    t.notOk(existsSync(path))
    t.strictSame(await psql('select * from uploads'), [])

    const { id } = await attach(file, { contract: of }) as { id: number }
    t.equal((await put(id, file)).status, 200)
    await abandon()
    t.match(await clean(), { uploads: 1 })
    t.equal((await content(id)).status, 200, 'bytes that another upload has stored stay')
  })

  await t.test('an attachment that waits for its bytes for 30 days is deleted like by a user', async (t) => {
    const since = async (interval: string) => (await psql(`
      insert into adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256, created_at)
      select company_id, id, 'olvidada', 'image/jpeg', 200, '${sha256Of(Buffer.from(interval))}', now() - interval '${interval}'
      from contracts where id = ${of} returning id`))[0]?.['id'] as number
    const [young, old] = [await since('29 days'), await since('31 days')]
    const feed = (await director.get('changes/?resources=adjuntos&page_size=1000')).json()
    t.match(feed, { has_more: false })
    t.match(await clean(), { records: 1 })
    t.match((await director.get(`changes/?cursor=${feed.cursor}`)).json().changes, [{ resource: 'adjuntos', id: old, deleted: true }])
    t.match((await director.get(`history/?resource=adjuntos&record=${old}`)).json().results[0], { operation: 'delete', user: null })
    t.equal((await director.get(`adjuntos/${young}/`)).statusCode, 200)
  })
}
