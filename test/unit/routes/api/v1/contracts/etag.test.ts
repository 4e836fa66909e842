import t from 'tap'
import { build } from '../../../../../support/helper.ts'

const changed = { detail: 'The object has changed since you retrieved it. Retrieve it again before changing it.', code: 'precondition_failed' }

t.test('ETags', async (t) => {
  const { as, psql } = await build(t)
  const [director, other] = await Promise.all([as('director@demo.example'), as('director@otra.example')])
  const tagOf = async (url: string) => (await director.get(url)).headers.etag as string
  const status = async (url: string, ifNoneMatch: string) => (await director.get(url, { 'if-none-match': ifNoneMatch })).statusCode

  t.test('of unchanged data are answered 304 without a body', async (t) => {
    for (const url of ['contracts/', 'contracts/?page=2', 'contracts/1/', 'contracts/1/?fields=folio', 'contracts/?search=torre&fields=id']) {
      const tag = await tagOf(url)
      t.match(tag, /^"[^"]+"$/)
      t.equal(await tagOf(url), tag)
      for (const given of [tag, `W/${tag}`, `"other", ${tag}`, `W/"x",${tag} , "y"`, '*', ' * ']) {
        for (const method of ['GET', 'HEAD'] as const) {
          const response = await director.send(method, url, undefined, { 'if-none-match': given })
          t.equal(response.statusCode, 304, `${url} ${given}`)
          t.equal(response.body, '')
          t.match(response.headers, { etag: tag, 'cache-control': 'private, no-cache', vary: /authorization/i })
        }
      }
      for (const given of ['"other"', tag.slice(1, -1), `${tag.slice(0, -1)}~"`, '""', '']) {
        const response = await director.get(url, { 'if-none-match': given })
        t.equal(response.statusCode, 200, `${url} ${given}`)
        t.equal(response.headers.etag, tag)
      }
    }
  })

  t.test('of one address do not match another address', async (t) => {
    const urls = ['contracts/', 'contracts/?page=2', 'contracts/?page_size=5', 'contracts/1/', 'contracts/2/', 'contracts/1/?fields=id']
    const tags = await Promise.all(urls.map(tagOf))
    t.equal(new Set(tags).size, urls.length)
    for (const url of urls) {
      for (const [index, tag] of tags.entries()) t.equal(await status(url, tag), urls[index] === url ? 304 : 200)
    }
    const [foreign] = await psql('select id from contracts where company_id = 3') as [{ id: number }]
    t.equal(await status(`contracts/${foreign.id}/`, (await other.get(`contracts/${foreign.id}/`)).headers.etag as string), 404)
    t.equal(await status('contracts/', (await other.get('contracts/')).headers.etag as string), 200)
  })

  t.test('* does not match an absent contract', async (t) => {
    t.equal(await status('contracts/999999/', '*'), 404)
    t.equal(await status('contracts/?page=99', '*'), 404)
  })

  t.test('change with every write of the company, and with no other company\'s', async (t) => {
    const urls = ['contracts/', 'contracts/1/', 'contracts/?estado=cancelado']
    const { id } = (await director.post('contracts/', { folio: 'ETIQUETA' })).json()
    const writes: Record<string, () => Promise<unknown>> = {
      create: async () => await director.post('contracts/', { folio: 'ETIQUETA-2' }),
      update: async () => await director.send('PATCH', `contracts/${id}/`, { monto: '1.00' }),
      delete: async () => await director.send('DELETE', `contracts/${id}/`),
      'a counterparty by psql': async () => await psql("update contrapartes set nombre = nombre || ' (antes)' where id = 1")
    }
    for (const [name, write] of Object.entries(writes)) {
      const before = await Promise.all(urls.map(tagOf))
      await other.post('contracts/', { folio: `OTRA ${name}` })
      for (const [index, url] of urls.entries()) t.equal(await status(url, before[index] as string), 304, 'after a write of another company')
      await write()
      for (const [index, url] of urls.entries()) t.equal(await status(url, before[index] as string), 200, name)
    }
  })

  t.test('returned by a write are valid for the next write', async (t) => {
    const created = await director.post('contracts/', { folio: 'SIGUE' })
    const { id } = created.json()
    const patched = await director.send('PATCH', `contracts/${id}/`, { monto: '1.00' }, { 'if-match': created.headers.etag as string })
    t.equal(patched.statusCode, 200)
    const put = await director.send('PUT', `contracts/${id}/`, { folio: 'SIGUE', monto: '2.00' }, { 'if-match': patched.headers.etag as string })
    t.equal(put.statusCode, 200)
    const late = await director.send('PATCH', `contracts/${id}/`, { monto: '3.00' }, { 'if-match': created.headers.etag as string })
    t.equal(late.statusCode, 412)
    t.equal((await director.send('DELETE', `contracts/${id}/`, undefined, { 'if-match': put.headers.etag as string })).statusCode, 204)
  })

  t.test('If-Match permits a write while the record is unchanged, whatever else has changed', async (t) => {
    const { id } = (await director.post('contracts/', { folio: 'SI' })).json()
    const url = `contracts/${id}/`
    const tag = await tagOf(url)
    await director.post('contracts/', { folio: 'SI-OTRO' })
    await psql('update contracts set monto = monto + 1 where id = 2')
    const passing = [tag, `W/${tag}`, `"x", ${tag}`, '*', ' * ']
    for (const given of passing) {
      t.equal((await director.send('PATCH', url, { monto: '0.00' }, { 'if-match': given })).statusCode, 200, given)
      t.equal((await director.send('PUT', url, { folio: 'SI' }, { 'if-match': given })).statusCode, 200, given)
    }
    t.equal((await director.send('DELETE', url, undefined, { 'if-match': tag })).statusCode, 204)
  })

  t.test('If-Match of a changed record is 412 for PUT, PATCH and DELETE, and nothing is written', async (t) => {
    const { id } = (await director.post('contracts/', { folio: 'NO' })).json()
    const url = `contracts/${id}/`
    const stale = await tagOf(url)
    await psql('update contracts set monto = 5 where id = $1', [id])
    const list = await tagOf('contracts/')
    for (const given of [stale, `W/${stale}`, `${stale}, "x"`, list, '"x"', '', 'nada', '"1"', '"2"']) {
      for (const [method, body] of [['PUT', { folio: 'NO', monto: '6.00' }], ['PATCH', { monto: '6.00' }], ['DELETE', undefined]] as const) {
        const response = await director.send(method, url, body, { 'if-match': given })
        t.equal(response.statusCode, 412, `${method} ${given}`)
        t.strictSame(response.json(), changed)
      }
    }
    t.match((await director.get(url)).json(), { monto: '5.00', version: 2 })
    t.match((await director.send('DELETE', url, undefined, { 'if-match': stale, 'accept-language': 'es' })).json(),
      { code: 'precondition_failed', detail: /^El objeto ha cambiado/ })
  })

  t.test('one of ten concurrent writes with the same ETag succeeds', async (t) => {
    const created = await director.post('contracts/', { folio: 'DIEZ' })
    const answers = await Promise.all(Array.from({ length: 10 }, async (_, index) =>
      await director.send('PATCH', `contracts/${created.json().id}/`, { monto: `${index + 1}.00` }, { 'if-match': created.headers.etag as string })))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array(9).fill(412)])
    const { monto } = answers.find(({ statusCode }) => statusCode === 200)?.json()
    t.match((await director.get(`contracts/${created.json().id}/`)).json(), { monto, version: 2 })
  })
})
