import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { Locator, Page } from 'playwright-core'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../../support/browser.ts'
import { expired } from '../../../support/forge.ts'
import { build, buildOn } from '../../../support/helper.ts'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// Links to another host do not affect the page.
const { app, database } = await build(t, { PUBLIC_URL: 'https://api.obra.example' })

t.test('the page loads everything from the service, without a token, under its policy', async (t) => {
  const page = await app.inject({ url: '/docs/', headers: { accept: 'text/html' } })
  t.strictSame([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.match(page.headers, { 'content-security-policy': policy })
  t.notMatch(page.body, /<script>|<style|style=|https?:/, 'nothing that the policy forbids')
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+\.[a-z]+)"/g)].map(([, address]) => address)
  t.strictSame(new Set(loaded), new Set(['icon.svg', 'swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'page.js', '../openapi.json']))

  const script = 'application/javascript; charset=utf-8'
  const style = 'text/css; charset=utf-8'
  const types = { 'icon.svg': 'image/svg+xml', 'swagger-ui.css': style, 'page.css': style, 'swagger-ui-bundle.js': script, 'page.js': script }
  for (const [name, type] of Object.entries(types)) {
    const { statusCode, headers } = await app.inject({ url: `/docs/${name}`, headers: { accept: type.split(';')[0] } })
    t.strictSame([statusCode, headers['content-type']], [200, type], name)
    t.match(headers, { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-request-id': /./ }, name)
    const again = await app.inject({ url: `/docs/${name}`, headers: { 'if-none-match': headers['etag'] as string } })
    t.strictSame([again.statusCode, again.body], [304, ''], name)
  }
})

t.test('the address without the slash redirects to it, on any host and path', async (t) => {
  const { statusCode, headers } = await app.inject('/docs?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'docs/'])
})

t.test('other files are 404', async (t) => {
  for (const url of ['/docs/index.html', '/docs/%2e%2e/package.json', '/docs/..%2f..%2fpackage.json', '/docs/swagger-ui.js', '/docs/page.js/x']) {
    t.match((await app.inject(url)).json(), { code: 'not_found' }, url)
  }
  t.match((await app.inject({ method: 'POST', url: '/docs/' })).json(), { code: 'method_not_allowed' })
})

t.test('DOCS=off disables the page and the document', async (t) => {
  const closed = await buildOn(t, { ...database, close: async () => {} }, { DOCS: 'off' })
  for (const url of ['/docs', '/docs/', '/docs/page.js', '/openapi.json']) {
    t.equal((await closed.inject(url)).statusCode, 404, url)
    t.not((await app.inject(url)).statusCode, 404, `${url} exists without it`)
  }
})

/** Events that a page must not have: console messages, errors, policy violations, requests to other hosts. */
function watch (page: Page, origin: string): string[] {
  const events: string[] = []
  page.on('console', message => events.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => events.push(error.message))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) events.push(`request to ${request.url()}`)
  })
  return events
}

/** Sends the request of an open operation. @returns the status and the body of the answer on the page */
async function execute (operation: Locator): Promise<string[]> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table .response')
  return [await answer.locator('.response-col_status').innerText(), await answer.locator('.highlight-code').first().innerText()]
}

t.test('a user logs in on the page, sends requests and sees the answers', { skip: withoutBrowser }, async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 900 } })
  const events = watch(page, origin)
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname.replace(/^\/api\/v1/, '')))

  await page.goto(`${origin}/docs#/contracts/listContracts`)
  const list = page.locator('#operations-contracts-listContracts')
  const [refused, why] = await execute(list)
  t.match(refused, /^401/, 'a request without a token is refused')
  t.match(why, /Authentication credentials were not provided/)
  t.equal(events.splice(0).length, 1, 'the console reports it')

  const form = page.locator('#log-in')
  await form.getByLabel('Email').fill('director@demo.example')
  await form.getByLabel('Password').fill('wrong')
  await form.getByRole('button').click()
  await page.getByText('No active account found with the given credentials').waitFor()
  t.equal(events.splice(0).length, 1)
  await form.getByLabel('Password').fill(demoPassword)
  await form.getByRole('button').click()
  await page.locator('#who', { hasText: 'director@demo.example' }).waitFor()
  t.notOk(await form.isVisible())
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Log out', 'the keyboard focus stays in place')

  await page.locator('#operations-contracts-listContracts .btn-clear').click()
  const [status, body] = await execute(list)
  t.match(status, /^200/)
  t.match(body, /"count": 60[^]+"folio": "ON-2026-001"/)
  await list.locator('.live-responses-table').scrollIntoViewIfNeeded()
  await page.screenshot({ path: join(t.testdir(), 'docs.png') })
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0, 'tokens are only in the memory of the page')

  await page.locator('#log-out button').press('Enter')
  await form.waitFor()
  await page.locator('#log-in input[name=email]:focus').waitFor()
  t.ok(requests.includes('/api-token-revoke/'))
  t.strictSame(events, [])

  // A log-in by "Try it" counts too, here with an expired access token.
  await page.route('**/api-token-auth/', async (route) => {
    const response = await route.fetch()
    const { access, refresh } = await response.json()
    await route.fulfill({ response, json: { access: expired(access), refresh } })
  })
  await page.locator('#operations-tokens-logIn .opblock-summary').click()
  const logIn = page.locator('#operations-tokens-logIn')
  await logIn.locator('textarea').fill(JSON.stringify({ email: 'auxiliar@demo.example', password: demoPassword }))
  await execute(logIn)
  await page.locator('#who', { hasText: 'Logged in' }).waitFor()
  requests.length = 0
  await list.locator('.btn-clear').click()
  t.match((await execute(list))[0], /^200/)
  t.strictSame(requests, ['/api-token-refresh/', '/contracts/'], 'the token is refreshed before the request')

  // Logs in as the Director again, then by "Try it" as another user: the page must not show the Director any longer.
  await page.unrouteAll()
  await page.locator('#log-out button').click()
  await form.getByLabel('Email').fill('director@demo.example')
  await form.getByLabel('Password').fill(demoPassword)
  await form.getByRole('button').click()
  await page.locator('#who', { hasText: 'director@demo.example' }).waitFor()
  await logIn.locator('.btn-clear').click()
  await execute(logIn)
  await page.locator('#who', { hasText: 'Logged in' }).waitFor()
  t.strictSame(events, [])
})
