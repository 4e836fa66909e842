import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createObraClient, ObraError } from 'obra/client'

/** A server that gives one answer to all requests. @returns its origin and the received requests */
async function serverThat (t: Test, status: number, headers: Record<string, string>) {
  const got: string[] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', text => { body += text }).on('end', () => {
      got.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${body}`)
      response.writeHead(status, headers).end(JSON.stringify({ access: 'stolen', refresh: 'stolen' }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close().closeAllConnections())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got }
}

for (const status of [301, 302, 303, 307, 308]) {
  t.test(`${status} is not followed, and is an error with its status`, async (t) => {
    const other = await serverThat(t, 200, { 'content-type': 'application/json' })
    const first = await serverThat(t, status, { location: `${other.origin}/taken/` })
    const refused = { name: 'ObraError', status, code: 'redirected', message: /redirect/ }

    const credentials = { email: 'director@demo.example', password: 'a secret' }
    const client = createObraClient({ baseUrl: first.origin })
    await t.rejects(client.logIn(credentials), refused)
    const tokens = { access: 'a', refresh: 'r' }
    let loggedOut = 0
    const holder = createObraClient({ baseUrl: first.origin, tokens, onLogout: () => { loggedOut++ } })
    await t.rejects(holder.GET('/api/v1/contracts/'), refused)
    await t.rejects(holder.GET('/api/v1/contracts/', { redirect: 'follow' }), refused, 'also with redirect: follow')
    await t.rejects(holder.POST('/api/v1/contracts/', { body: { folio: 'F-1' } }), refused)
    await t.rejects(holder.all('/api/v1/contracts/').next(), refused)
    const error = await holder.GET('/api/v1/me/').catch((error: unknown) => error)
    t.ok(error instanceof ObraError)
    t.equal(loggedOut, 0, 'a redirect does not end the session')

    t.strictSame(other.got, [])
    t.equal(first.got.length, 6, 'each was sent once')
    t.match(first.got[0], /^POST \/api\/v1\/api-token-auth\/ {2}\{.*a secret/)
  })
}

t.test('a fetch that follows redirects itself is detected', async (t) => {
  const other = await serverThat(t, 200, { 'content-type': 'application/json' })
  const first = await serverThat(t, 302, { location: `${other.origin}/taken/` })
  const client = createObraClient({ baseUrl: first.origin, tokens: { access: 'a', refresh: 'r' }, fetch: async request => await fetch(request.url) })
  await t.rejects(client.GET('/api/v1/contracts/'), { name: 'ObraError', code: 'redirected' })
})
