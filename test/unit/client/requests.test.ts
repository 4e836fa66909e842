import t from 'tap'
import { createObraClient, unwrap } from 'obra/client'
import { listen } from './server.ts'

const server = await listen(t)
const { obra, sent } = server.client()

/** A client of a fake service that gives these answers in order. */
function against (answers: Array<() => Response>, longestWait = 1) {
  const got: Request[] = []
  const client = createObraClient({
    baseUrl: 'http://obra.example',
    tokens: { access: 'a', refresh: 'r' },
    longestWait,
    fetch: async (request) => {
      got.push(request)
      return answers[Math.min(got.length, answers.length) - 1]()
    }
  })
  return { client, got }
}

const busy = (status: number, seconds: string) => () => Response.json({ detail: 'Busy.', code: 'unavailable' }, { status, headers: { 'retry-after': seconds } })
const lost = () => { throw new TypeError('fetch failed') }
const done = () => Response.json({ id: 7, folio: 'F-1' })

t.test('a list yields every record once, over all pages, with the same query', async (t) => {
  const folios: string[] = []
  for await (const contract of obra.all('/api/v1/contracts/', { query: { page_size: 7, ordering: ['-folio'] } })) folios.push(contract.folio)
  const all = await unwrap(obra.GET('/api/v1/contracts/', { params: { query: { page_size: 200 } } }))
  t.equal(folios.length, 60)
  t.strictSame(folios, all.results.map(({ folio }) => folio).sort().reverse())
  t.equal(sent.filter(({ path }) => path === '/api/v1/contracts/').length, 10, 'nine pages, and the compared one')
})

t.test('pages are requested on demand, and each has the filters and selected fields', async (t) => {
  const before = sent.length
  for await (const { folio, ...rest } of obra.all('/api/v1/contracts/', { query: { page_size: 2, parent: 'null', fields: ['folio'] } })) {
    t.strictSame(rest, {})
    if (folio === 'ON-2026-003') break
  }
  t.equal(sent.length - before, 2)
  const none = obra.all('/api/v1/contracts/', { query: { folio: 'none' } })
  t.strictSame(await none.next(), { value: undefined, done: true })
  await t.rejects(obra.all('/api/v1/contracts/', { query: { monto_min: 'x' } }).next(), { name: 'ObraError', status: 400, code: 'invalid', errors: { monto_min: [/./] } })
})

t.test('field errors are returned as data or thrown as an error', async (t) => {
  const { data, error, response } = await obra.POST('/api/v1/contracts/', { body: { folio: ' ', monto: '1.234' } })
  t.equal(data, undefined)
  t.equal(response.status, 400)
  t.match(error, { detail: 'Invalid input.', errors: { folio: [/./], monto: [/./] }, codes: { folio: ['blank'], monto: ['max_decimal_places'] } })
  const thrown = await unwrap(obra.POST('/api/v1/contracts/', { body: { folio: ' ' } })).catch(error => error)
  t.match(thrown, { name: 'ObraError', status: 400, errors: { folio: [/./] }, codes: { folio: ['blank'] } })
  await t.rejects(unwrap(obra.GET('/api/v1/contracts/{id}/', { params: { path: { id: 999_999 } } })), { message: 'Not found.', status: 404, code: 'not_found', errors: {} })
  const spanish = server.client({ email: 'auxiliar@demo.example', password: 'demo-obra-1', language: 'es' })
  await t.rejects(unwrap(spanish.obra.POST('/api/v1/contracts/', { body: { folio: 'E-1' } })), { status: 403, code: 'permission_denied', message: /^Usted no tiene permiso/ })
})

t.test('a change with the ETag of a read is conditional', async (t) => {
  const path = { id: 2 }
  const { response } = await obra.GET('/api/v1/contracts/{id}/', { params: { path } })
  const header = { 'If-Match': response.headers.get('etag') as string }
  t.equal((await unwrap(obra.PATCH('/api/v1/contracts/{id}/', { params: { path, header }, body: { descripcion: 'Uno' } }))).descripcion, 'Uno')
  await t.rejects(unwrap(obra.PATCH('/api/v1/contracts/{id}/', { params: { path, header }, body: { descripcion: 'Dos' } })), { status: 412, code: 'precondition_failed' })
  t.equal((await unwrap(obra.GET('/api/v1/contracts/{id}/', { params: { path } }))).descripcion, 'Uno')
})

t.test('a report arrives in the format and type that the request names', async (t) => {
  const [params, headers] = [{ path: { id: 1 } }, { accept: 'application/pdf' }]
  const sheet: Blob = await unwrap(obra.GET('/api/v1/estimates/{id}/caratula/', { params, headers, parseAs: 'blob' }))
  t.equal(sheet.type, 'application/pdf')
  t.equal(await sheet.slice(0, 5).text(), '%PDF-')
  const curve: string = await unwrap(obra.GET('/api/v1/contracts/{id}/avance/', { params, headers: { accept: 'image/svg+xml' }, parseAs: 'text' }))
  t.match(curve, /^<svg /)
  const { folio }: { folio: string } = await unwrap(obra.GET('/api/v1/contracts/{id}/', { params, parseAs: 'json' }))
  t.equal(folio, 'ON-2026-001')
})

t.test('a create whose answer was lost is executed once', async (t) => {
  let losses = 1
  const careful = server.client({
    email: 'director@demo.example',
    password: 'demo-obra-1',
    fetch: async (request) => {
      const response = await fetch(request)
      if (request.url.endsWith('/contracts/') && losses-- > 0) lost()
      return response
    }
  })
  const { id } = await unwrap(careful.obra.POST('/api/v1/contracts/', { body: { folio: 'ONCE' } }))
  const page = await unwrap(obra.GET('/api/v1/contracts/', { params: { query: { folio: 'ONCE' } } }))
  t.strictSame(page.results.map(contract => contract.id), [id])
})

t.test('a request refused with Retry-After is repeated after that time, with the same key and body', async (t) => {
  const { client, got } = against([busy(503, '0'), busy(429, '0'), busy(503, new Date(0).toUTCString()), done])
  t.equal((await unwrap(client.POST('/api/v1/contracts/', { body: { folio: 'F-1' } }))).id, 7)
  t.equal(new Set(got.map(({ headers }) => headers.get('idempotency-key'))).size, 1)
  t.match(got[0]?.headers.get('idempotency-key'), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  t.strictSame(await Promise.all(got.slice(1).map(async request => await request.json())), Array.from({ length: 3 }, () => ({ folio: 'F-1' })))
})

t.test('retries are limited, and omitted if they could do harm or take long', async (t) => {
  const endless = against([busy(503, '0')])
  t.match(await endless.client.GET('/api/v1/me/'), { error: { code: 'unavailable' }, response: { status: 503 } })
  t.equal(endless.got.length, 4)

  const change = against([busy(503, '0'), done])
  t.equal((await change.client.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: 7 } }, body: {} })).response.status, 503)
  const throttled = against([busy(429, '0'), done])
  t.equal((await throttled.client.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: 7 } }, body: {} })).response.status, 200, 'after a 429 a PATCH is repeated')
  const long = against([busy(429, '2'), done])
  t.equal((await long.client.GET('/api/v1/me/')).response.status, 429)
  for (const seconds of ['-1', '1.5', 'soon']) {
    const odd = against([busy(429, seconds), done], 0.1)
    t.equal((await odd.client.GET('/api/v1/me/')).response.status, 429, `${seconds} is not a valid time: the default of 0.5 s is too long here`)
  }
  const fault = against([() => Response.json({ detail: 'A server error occurred.', code: 'error' }, { status: 500 }), done])
  t.equal((await fault.client.GET('/api/v1/me/')).response.status, 500)
  for (const { got } of [change, long, fault]) t.equal(got.length, 1)

  const unsafe = against([lost, done])
  await t.rejects(unsafe.client.DELETE('/api/v1/contracts/{id}/', { params: { path: { id: 7 } } }), new TypeError('fetch failed'))
  t.equal(unsafe.got.length, 1)
})

t.test('an aborted caller ends the wait', async (t) => {
  const abort = new AbortController()
  const { client, got } = against([() => {
    setImmediate(() => abort.abort())
    return busy(503, '1')()
  }, done])
  await t.rejects(client.GET('/api/v1/me/', { signal: abort.signal }), { name: 'AbortError' })
  t.equal(got.length, 1)
})

t.test('tokens are only sent to the client’s host, whatever `next` contains', async (t) => {
  const page = (next: string | null) => () => Response.json({ count: 2, next, previous: null, results: [{ id: 1 }] })
  const { client, got } = against([page('http://elsewhere.example/api/v1/contracts/?cursor=x&page=2'), page(null)])
  for await (const { id } of client.all('/api/v1/contracts/')) t.equal(id, 1)
  t.strictSame(got.map(({ url }) => url), ['http://obra.example/api/v1/contracts/', 'http://obra.example/api/v1/contracts/?cursor=x&page=2'])
})

t.test('the types reject what the service does not have', async (t) => {
  t.pass('checked by npm run typecheck')
  const typed = async () => {
    // @ts-expect-error a misspelt filter
    obra.all('/api/v1/contracts/', { query: { estdo: 'vigente' } })
    // @ts-expect-error an unknown state
    obra.all('/api/v1/contracts/', { query: { estado: 'abierto' } })
    // @ts-expect-error not a list
    obra.all('/api/v1/me/')
    // @ts-expect-error a misspelt field
    await obra.POST('/api/v1/contracts/', { body: { folio: 'A', mnto: '1.00' } })
    // @ts-expect-error a required field left out
    await obra.POST('/api/v1/estimates/', { body: { monto: '1.00' } })
    // @ts-expect-error an unknown path
    await obra.GET('/api/v1/contract/')
    const right: Parameters<typeof obra.GET<'/api/v1/contracts'>>[0] = '/api/v1/contracts/'
    // @ts-expect-error the error names the path with the slash
    const wrong: Parameters<typeof obra.GET<'/api/v1/contracts'>>[0] = '/api/v1/estimates/'
    t.ok(right + wrong)
    // @ts-expect-error a missing id
    await obra.GET('/api/v1/contracts/{id}/')
    const contract = await unwrap(obra.GET('/api/v1/contracts/{id}/', { params: { path: { id: 1 } } }))
    // @ts-expect-error money is a string
    contract.monto.toFixed(2)
    // @ts-expect-error the counterparty may be null
    contract.contraparte.length.toFixed()
  }
  t.type(typed, 'function')
})
