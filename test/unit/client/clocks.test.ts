import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Test } from 'tap'
import { createObraClient, type Tokens } from 'obra/client'

const hour = 3_600_000
const base64 = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')

/** Tokens of the user 1, issued some hours ago by the service's clock and valid for one hour. */
function tokensOf (name: string, age: number): Tokens {
  const iat = Math.floor((real() - age * hour) / 1000)
  return { access: `${base64({ name })}.${base64({ user_id: 1, iat, exp: iat + 3600 })}.x`, refresh: name }
}
const real = Date.now
/** Whether the service refuses the next token. */
let isRevoked = false

/** A service that takes tokens by their claims and its own clock, and a device whose clock is off by some hours. */
async function place (t: Test, off: number) {
  const sent: string[] = []
  const service = createServer((request, response) => {
    const [, claims = ''] = (request.headers.authorization ?? '').split('.')
    const { exp } = JSON.parse(atob(claims)) as { exp: number }
    const path = request.url as string
    const isRefresh = path.includes('refresh')
    const status = isRefresh || (!isRevoked && exp * 1000 > real()) ? 200 : 401
    isRevoked = false
    sent.push(`${path} ${status}`)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRefresh ? tokensOf('new', 0) : status === 200 ? {} : { code: 'token_not_valid', messages: [] }))
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  Date.now = () => real() + off * hour
  t.teardown(() => {
    Date.now = real
    service.closeAllConnections()
    service.close()
  })
  return { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, sent }
}

for (const off of [-30, -5, 0, 5, 30]) {
  t.test(`the device's clock is ${off} hours off: expired tokens of another tab are no 401 for the app`, async (t) => {
    const { baseUrl, sent } = await place(t, off)
    const stored = [tokensOf('mine', 9), tokensOf('theirs', 3)]
    let reads = 0
    const obra = createObraClient({ baseUrl, tokens: () => stored[Math.min(reads++, 1)] })
    t.equal((await obra.GET('/api/v1/me/')).response.status, 200)
    t.equal(sent.filter(line => line.includes('refresh')).length, 1)
  })

  t.test(`the device's clock is ${off} hours off: valid tokens of another tab are used`, async (t) => {
    const { baseUrl, sent } = await place(t, off)
    const stored = [tokensOf('mine', 2), tokensOf('theirs', 0)]
    let reads = 0
    const obra = createObraClient({ baseUrl, tokens: () => stored[Math.min(reads++, 1)] })
    t.equal((await obra.GET('/api/v1/me/')).response.status, 200)
    t.strictSame(sent, ['/api/v1/me/ 401', '/api/v1/me/ 200'])
  })
}

t.test('once it has received tokens, a client does not try expired ones of another tab', async (t) => {
  const { baseUrl, sent } = await place(t, -5)
  let stored = tokensOf('first', 2)
  const obra = createObraClient({ baseUrl, tokens: () => stored, onTokens: (tokens) => { stored = tokens } })
  await obra.GET('/api/v1/me/')
  sent.length = 0
  // The service no longer takes the tokens that the client has, and another tab stored older ones.
  stored = tokensOf('theirs', 3)
  isRevoked = true
  t.equal((await obra.GET('/api/v1/me/')).response.status, 200)
  t.strictSame(sent, ['/api/v1/me/ 401', '/api/v1/api-token-refresh/ 200', '/api/v1/me/ 200'])
})

t.test('the wait that an answer requests is read with the clock of the service', async (t) => {
  const sent: number[] = []
  const now = real()
  Date.now = () => now - 30 * hour
  t.teardown(() => { Date.now = real })
  const headers = { date: new Date(now).toUTCString(), 'retry-after': new Date(now).toUTCString() }
  const obra = createObraClient({ baseUrl: 'http://obra.test', tokens: tokensOf('mine', 0), fetch: async () => Response.json({}, sent.push(1) > 1 ? { status: 200 } : { status: 503, headers }) })
  t.equal((await obra.GET('/api/v1/me/')).response.status, 200)
  t.equal(sent.length, 2)
})
