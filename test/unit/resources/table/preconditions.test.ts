import t from 'tap'
import { atOnce } from '../../../support/at-once.ts'
import { build } from '../../../support/helper.ts'
import { changeByPsql, entries } from './resources.ts'

const changed = { detail: 'The object has changed since you retrieved it. Retrieve it again before changing it.', code: 'precondition_failed' }

for (const entry of entries) {
  t.test(`ETags, HEAD and OPTIONS of ${entry.name}`, async (t) => {
    const server = await build(t)
    const client = await server.as(entry.by)
    await entry.prepare?.(client, server)
    const [outsider, elsewhere] = [await server.as(entry.outsider.email), await server.as('director@otra.example')]
    const deletable = entry.deletedAgain !== undefined
    let number = 0
    const list = `${entry.name}/`
    const create = async () => await client.post(list, entry.right(++number))
    const status = async (url: string, tag: string) => (await client.get(url, { 'if-none-match': tag })).statusCode
    const tagOf = async (url: string) => (await client.get(url)).headers.etag as string

    t.test('a GET has an ETag and is 304 until a write; HEAD is the same without the body', async (t) => {
      // Two, so that the pages of two sizes differ.
      await create()
      const { id } = (await create()).json()
      const urls = [list, `${list}?page_size=1`, `${list}?fields=id`, `${list}${id}/`, `${list}${id}/?fields=id`]
      const tags = await Promise.all(urls.map(tagOf))
      t.equal(new Set(tags).size, urls.length)
      await elsewhere.post('contracts/', { folio: `AJENO-${entry.name}` })
      for (const [index, url] of urls.entries()) {
        const tag = tags[index]
        const got = await client.get(url)
        for (const method of ['GET', 'HEAD'] as const) {
          for (const [given, same] of await atOnce(index === 0 ? [tag, `W/${tag}`, `"x", ${tag}`, '*'] : [tag], async given => await client.send(method, url, undefined, { 'if-none-match': given }))) {
            t.strictSame([same.statusCode, same.body, same.headers.etag], [304, '', tag], `${method} ${url} ${given}`)
          }
        }
        const head = await client.send('HEAD', url)
        t.strictSame([head.statusCode, head.body], [200, ''])
        for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'vary']) t.equal(head.headers[name], got.headers[name], name)
        for (const [given, other] of await atOnce(['"x"', '', tags[(index + 1) % tags.length]], async given => await status(url, given))) t.equal(other, 200, `${url} ${given}`)
      }
      await create()
      const single = (url: string) => url.startsWith(`${list}${id}/`)
      for (const [index, url] of urls.entries()) t.equal(await status(url, tags[index]), single(url) && !entry.ofCompany ? 304 : 200, 'after a write')
      for (const absent of [`${list}999999/`, `${list}?page=99`]) t.equal(await status(absent, '*'), 404)
      if (entry.ofCompany) t.equal(await status(list, (await elsewhere.get(list)).headers.etag as string), 200, 'another company\'s ETag of the same list')
      t.equal((await client.send('HEAD', `${list}999999/`)).statusCode, 404)
    })

    t.test('a write with If-Match succeeds while the record is unchanged, even if others change', async (t) => {
      const earlier = (await create()).json()
      const created = await create()
      const url = `${list}${created.json().id}/`
      const tag = await tagOf(url)
      await changeByPsql(server, entry, earlier.id, entry.change(10))
      for (const given of [created.headers.etag as string, tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        t.equal((await client.send('PATCH', url, {}, { 'if-match': given })).statusCode, 200, given)
        t.equal((await client.send('PUT', url, (await client.get(url)).json(), { 'if-match': given })).statusCode, 200, given)
      }
      const patched = await client.send('PATCH', url, entry.change(21), { 'if-match': tag })
      t.match(patched.json(), { ...entry.change(21), version: 2 })
      const put = await client.send('PUT', url, { ...patched.json<object>(), ...entry.change(22) }, { 'if-match': patched.headers.etag as string })
      t.match(put.json(), { ...entry.change(22), version: 3 })
      if (!deletable) return
      t.equal((await client.send('DELETE', url, undefined, { 'if-match': put.headers.etag as string })).statusCode, 204)
      t.equal((await client.send('DELETE', url, undefined, { 'if-match': put.headers.etag as string })).statusCode, entry.deletedAgain)
    })

    t.test('a stale If-Match is 412 for every write, and nothing is written', async (t) => {
      const { id } = (await create()).json()
      const url = `${list}${id}/`
      const stale = await tagOf(url)
      await changeByPsql(server, entry, id, entry.change(11))
      const ofList = await tagOf(list)
      for (const [method, body] of [['PUT', { ...entry.right(number), ...entry.change(12) }], ['PATCH', entry.change(12)], ...deletable ? [['DELETE'] as const] : []] as const) {
        const tags = [stale, `W/${stale}`, `${stale}, "x"`, ofList, '"x"', '', '1', '"1"']
        for (const [given, response] of await atOnce(tags, async given => await client.send(method, url, body, { 'if-match': given }))) {
          t.equal(response.statusCode, 412, `${method} ${given}`)
          t.strictSame(response.json(), changed)
        }
      }
      t.match((await client.get(url)).json(), { ...entry.change(11), version: 2 })
      t.match((await client.send('PATCH', url, {}, { 'if-match': stale, 'accept-language': 'es' })).json(), { detail: /^El objeto ha cambiado/ })
    })

    t.test('one of several concurrent writes with the same ETag succeeds', async (t) => {
      const created = await create()
      const url = `${list}${created.json().id}/`
      const answers = await Promise.all(Array.from({ length: 8 }, async (_, index) => await client.send('PATCH', url, entry.change(index), { 'if-match': created.headers.etag as string })))
      t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array(7).fill(412)])
      t.strictSame((await client.get(url)).json(), answers.find(({ statusCode }) => statusCode === 200)?.json())
    })

    t.test('an inaccessible record gets the same status with any precondition', async (t) => {
      const { id } = (await create()).json()
      const url = `${list}${id}/`
      const tag = await tagOf(url)
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const) {
        for (const [header, given] of [['if-match', tag], ['if-match', '*'], ['if-none-match', tag]] as const) {
          t.equal((await outsider.send(method, url, method === 'PUT' || method === 'PATCH' ? entry.right(1) : undefined, { [header]: given })).statusCode, method === 'DELETE' && !deletable ? 405 : entry.outsider.status, method)
        }
      }
      t.equal((await client.get(url)).json().version, 1)
    })

    t.test('OPTIONS lists the methods of a URL, and another method is 405 with the same list', async (t) => {
      const ofOne = deletable ? ['DELETE, GET, HEAD, OPTIONS, PATCH, PUT', ['POST']] as const : ['GET, HEAD, OPTIONS, PATCH, PUT', ['POST', 'DELETE']] as const
      const ofBulk = entry.bulk ? [[`${list}bulk/`, 'OPTIONS, POST', ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']] as const] : []
      for (const [url, allow, wrong] of [[list, 'GET, HEAD, OPTIONS, POST', ['PUT', 'PATCH', 'DELETE']], [`${list}1/`, ...ofOne], ...ofBulk] as const) {
        for (const address of [url, url.slice(0, -1), `${url}?x=1`]) {
          const options = await client.send('OPTIONS', address)
          t.strictSame([options.statusCode, options.headers.allow, options.body], [204, allow, ''], address)
          for (const method of wrong) {
            const refusal = method === 'HEAD' ? '' : JSON.stringify({ detail: `Method "${method}" not allowed.`, code: 'method_not_allowed' })
            for (const type of method === 'GET' || method === 'HEAD' ? [undefined] : ['application/json', 'text/plain', undefined]) {
              const response = await client.send(method, address, type && '{', type === undefined ? {} : { 'content-type': type })
              t.strictSame([response.statusCode, response.headers.allow, response.body], [405, allow, refusal], `${method} ${address} ${type}`)
            }
            t.equal((await server.app.inject({ method, url: `/api/v1/${address}` })).statusCode, 401, 'without a token')
          }
        }
      }
    })
  })
}
