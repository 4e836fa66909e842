import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import type { Locator, Page } from 'playwright-core'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../../support/browser.ts'
import { expired } from '../../../support/forge.ts'
import { build, buildOn } from '../../../support/helper.ts'

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// Links that name another host change nothing for the page.
const { app, database } = await build(t, { PUBLIC_URL: 'https://api.obra.example' })

t.test('the page and all it loads come from the service, to anybody, under the policy', async (t) => {
  const page = await app.inject({ url: '/docs/', headers: { accept: 'text/html' } })
  t.strictSame([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.match(page.headers, { 'content-security-policy': policy })
  t.notMatch(page.body, /<script>|<style|style=|https?:/, 'nothing that the policy would refuse')
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+\.[a-z]+)"/g)].map(([, address]) => address as string)
  t.strictSame(new Set(loaded), new Set(['icon.svg', 'swagger-ui.css', 'page.css', 'swagger-ui-bundle.js', 'page.js', '../openapi.json']))

  const script = 'application/javascript; charset=utf-8'
  const style = 'text/css; charset=utf-8'
  const types = { 'icon.svg': 'image/svg+xml', 'swagger-ui.css': style, 'page.css': style, 'swagger-ui-bundle.js': script, 'page.js': script }
  for (const [name, type] of Object.entries(types)) {
    const { statusCode, headers } = await app.inject({ url: `/docs/${name}`, headers: { accept: type.split(';')[0] as string } })
    t.strictSame([statusCode, headers['content-type']], [200, type], name)
    t.match(headers, { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-request-id': /./ }, name)
    const again = await app.inject({ url: `/docs/${name}`, headers: { 'if-none-match': headers['etag'] as string } })
    t.strictSame([again.statusCode, again.body], [304, ''], name)
  }
})

t.test('its address without the slash leads to it, on whatever host and path', async (t) => {
  const { statusCode, headers } = await app.inject('/docs?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'docs/'])
})

t.test('nothing else is there', async (t) => {
  for (const url of ['/docs/index.html', '/docs/%2e%2e/package.json', '/docs/..%2f..%2fpackage.json', '/docs/swagger-ui.js', '/docs/page.js/x']) {
    t.match((await app.inject(url)).json(), { code: 'not_found' }, url)
  }
  t.match((await app.inject({ method: 'POST', url: '/docs/' })).json(), { code: 'method_not_allowed' })
})

t.test('DOCS=off leaves neither the page nor the document', async (t) => {
  const closed = await buildOn(t, { ...database, close: async () => {} }, { DOCS: 'off' })
  for (const url of ['/docs', '/docs/', '/docs/page.js', '/openapi.json']) {
    t.equal((await closed.inject(url)).statusCode, 404, url)
    t.not((await app.inject(url)).statusCode, 404, `${url} is there without it`)
  }
})

/** What a page should have none of: messages of its console, errors, refusals by its policy, requests elsewhere. */
function watch (page: Page, origin: string): string[] {
  const told: string[] = []
  page.on('console', message => told.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => told.push(error.message))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) told.push(`request to ${request.url()}`)
  })
  return told
}

/** Sends the request that an open operation shows. @returns the status and the body of the answer that the page then shows */
async function execute (operation: Locator): Promise<string[]> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table .response')
  return [await answer.locator('.response-col_status').innerText(), await answer.locator('.highlight-code').first().innerText()]
}

t.test('somebody logs in on the page, sends requests and sees the answers', { skip: withoutBrowser }, async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 900 } })
  const told = watch(page, origin)
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname.replace(/^\/api\/v1/, '')))

  await page.goto(`${origin}/docs#/contracts/listContracts`)
  const list = page.locator('#operations-contracts-listContracts')
  const [refused, why] = await execute(list)
  t.match(refused, /^401/, 'a stranger is refused')
  t.match(why, /Authentication credentials were not provided/)
  t.equal(told.splice(0).length, 1, 'which the console tells')

  const form = page.locator('#log-in')
  await form.getByLabel('Email').fill('director@demo.example')
  await form.getByLabel('Password').fill('wrong')
  await form.getByRole('button').click()
  await page.getByText('No active account found with the given credentials').waitFor()
  t.equal(told.splice(0).length, 1)
  await form.getByLabel('Password').fill(demoPassword)
  await form.getByRole('button').click()
  await page.locator('#who', { hasText: 'director@demo.example' }).waitFor()
  t.notOk(await form.isVisible())
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Log out', 'the keyboard goes on where one is')

  await page.locator('#operations-contracts-listContracts .btn-clear').click()
  const [status, body] = await execute(list)
  t.match(status, /^200/)
  t.match(body, /"count": 60[^]+"folio": "ON-2026-001"/)
  await list.locator('.live-responses-table').scrollIntoViewIfNeeded()
  await page.screenshot({ path: join(t.testdir(), 'docs.png') })
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0, 'tokens are in the memory of the page alone')

  await page.locator('#log-out button').press('Enter')
  await form.waitFor()
  t.equal(await page.evaluate('document.activeElement.name'), 'email')
  t.ok(asked.includes('/api-token-revoke/'))
  t.strictSame(told, [])

  // A log-in that is tried out counts too, here with an access token that has run out.
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
  asked.length = 0
  await list.locator('.btn-clear').click()
  t.match((await execute(list))[0], /^200/)
  t.strictSame(asked, ['/api-token-refresh/', '/contracts/'], 'the token is renewed before the request')

  // As the Director again, then by a log-in that is tried out as somebody else: the page does not go on naming the Director.
  await page.unrouteAll()
  await page.locator('#log-out button').click()
  await form.getByLabel('Email').fill('director@demo.example')
  await form.getByLabel('Password').fill(demoPassword)
  await form.getByRole('button').click()
  await page.locator('#who', { hasText: 'director@demo.example' }).waitFor()
  await logIn.locator('.btn-clear').click()
  await execute(logIn)
  await page.locator('#who', { hasText: 'Logged in' }).waitFor()
  t.strictSame(told, [])
})
