import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import t from 'tap'
import type { Locator, Page } from 'playwright-core'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../../support/browser.ts'
import { expired } from '../../../support/forge.ts'
import { build, buildOn } from '../../../support/helper.ts'
import { root } from '../../../support/process.ts'

// The hash of the import map.
const policy = "default-src 'none'; script-src 'self' 'sha256-o66ZMgdLye3vX8yi6QWFkSKmtm1kiMZbgImwSokNEu4='; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
// Links to another host do not affect the page.
const { app, database } = await build(t, { PUBLIC_URL: 'https://api.obra.example' })

t.test('the page loads everything from the service, without a token, under its policy', async (t) => {
  const page = await app.inject({ url: '/docs/', headers: { accept: 'text/html' } })
  t.strictSame([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  t.match(page.headers, { 'content-security-policy': policy })
  t.notMatch(page.body, /<script>|<style|style=|https?:|demo/, 'nothing that the policy forbids, and no demo account')
  const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+\.[a-z]+)"/g)].map(([, address = '']) => address)
  t.strictSame(new Set(loaded), new Set(['icon.svg', 'page.css', 'page.js', '../openapi.json', 'guide.html?README.md']))
  const guide = await app.inject('/docs/guide.html')
  for (const { body } of [page, guide]) t.match(body, '<script type="importmap">{ "imports": { "marked": "./marked.js" } }</script>')

  const types: Record<string, string> = { svg: 'image/svg+xml', css: 'text/css; charset=utf-8', js: 'application/javascript; charset=utf-8', html: 'text/html; charset=utf-8' }
  const names = new Set(['icon.svg', 'page.css', 'page.js', 'guide.html', 'guide.js', 'marked.js'])
  for (const name of names) {
    const type = types[name.split('.').at(-1) as string]
    const { statusCode, headers, body } = await app.inject({ url: `/docs/${name}`, headers: { accept: (type ?? '').split(';')[0] } })
    t.strictSame([statusCode, headers['content-type']], [200, type], name)
    t.notMatch(body, /demo/, `${name} has no demo account, which would also be in production`)
    t.match(headers, { 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-request-id': /./ }, name)
    const again = await app.inject({ url: `/docs/${name}`, headers: { 'if-none-match': headers['etag'] as string } })
    t.strictSame([again.statusCode, again.body], [304, ''], name)
    if (name.endsWith('.js')) for (const [, imported = ''] of body.matchAll(/^import .*'\.\/([^']+)'$/gm)) names.add(imported)
  }
  t.ok(names.size > 8, 'and everything that the scripts import')
})

t.test('the address without the slash redirects to it, on any host and path', async (t) => {
  const { statusCode, headers } = await app.inject('/docs?x=1')
  t.strictSame([statusCode, headers['location']], [302, 'docs/'])
})

t.test('other files are 404', async (t) => {
  for (const url of ['/docs/index.html', '/docs/%2e%2e/package.json', '/docs/..%2f..%2fpackage.json', '/docs/pages/', '/docs/pages/nothing.md', '/docs/pages/..%2f..%2fpackage.json', '/docs/pages/examples/office/app.js', '/docs/pages/deploy/one-machine/backup.sh', '/docs/page.js/x']) {
    t.match((await app.inject(url)).json(), { code: 'not_found' }, url)
  }
  for (const url of ['/docs/', '/docs/pages/guides/add-a-field.md']) {
    t.match((await app.inject({ method: 'POST', url })).json(), { code: 'method_not_allowed' }, url)
  }
})

t.test('guides are served with the pages to which they link, and each operation links to existing ones', async (t) => {
  const { guides } = await moduleOf('document.js') as { guides: Record<string, string[][]> }
  const { tags } = await app.openapi() as { tags: Array<{ name: string }> }
  t.strictSame(tags.map(({ name }) => name).filter(name => !Object.hasOwn(guides, name)), [], 'each group has guides')
  const names = new Set(['README.md', ...Object.values(guides).flat().map(([, page = '']) => page)])
  for (const name of names) {
    const { statusCode, headers, body } = await app.inject(`/docs/pages/${name}`)
    t.strictSame([statusCode, headers['content-type']], [200, 'text/markdown; charset=utf-8'], name)
    t.match(body, /^# /, name)
    for (const [, link = ''] of body.matchAll(/\]\((?!https?:)([^)\s#]+\.md)[^)]*\)/g)) {
      const path = join(dirname(name), link)
      if (!path.startsWith('..')) names.add(path)
    }
  }
  t.ok(names.has('deploy/one-machine/README.md'))
})

t.test('Markdown is escaped, and its links lead where the page says', async (t) => {
  const { blocks } = await moduleOf('markdown.js') as { blocks: (text: string, hrefOf?: (address: string) => string | undefined) => string }
  const html = (...input: Parameters<typeof blocks>) => blocks(...input).replaceAll(/>\n+/g, '>')
  t.equal(html('# A `b` <i>\n\nOne **two** and\n[three](x.md#y), `a & **b**`.<!-- no -->'), '<h1 id="a-b-i">A <code>b</code> &lt;i&gt;</h1><p>One <strong>two</strong> and\n<a href="x.md#y">three</a>, <code>a &amp; **b**</code>.</p>')
  t.equal(html('[out](../src/a.ts) [in](b.md)', (address: string) => address.startsWith('..') ? undefined : `?${address}`), '<p>out <a href="?b.md">in</a></p>')
  t.equal(html('<code> <img src=x onerror=y'), '<p>&lt;code&gt; &lt;img src=x onerror=y</p>')
  t.equal(html('- one\n\n  ```sh\n  a < b\n  ```'), '<ul><li><p>one</p><pre tabindex="0"><code>a &lt; b</code></pre></li></ul>')
  t.equal(html('| a |\n|---|\n| `x` |'), '<div class="wide" tabindex="0"><table><thead><tr><th>a</th></tr></thead><tbody><tr><td><code>x</code></td></tr></tbody></table></div>')
})

t.test('DOCS=off disables the page and the document', async (t) => {
  const closed = await buildOn(t, { ...database, close: async () => {} }, { DOCS: 'off' })
  for (const url of ['/docs', '/docs/', '/docs/page.js', '/openapi.json']) {
    t.equal((await closed.inject(url)).statusCode, 404, url)
    t.not((await app.inject(url)).statusCode, 404, `${url} exists without it`)
  }
})

/** A module of the page, which the server's own types do not include. */
async function moduleOf (name: string): Promise<unknown> {
  return await import(join(root, 'src/openapi/reference-page', name))
}

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
async function send (operation: Locator): Promise<string[]> {
  const button = operation.getByRole('button', { name: 'Send' })
  await button.click()
  const status = operation.locator('.answer .status').filter({ hasText: /^\d/ })
  return [await status.innerText(), await operation.locator('.answer pre.body').innerText()]
}

t.test('the search knows the headings of the guides, but not comments of their commands', async (t) => {
  const pages = (await app.inject('/docs/headings.json')).json() as Array<{ page: string, title: string, headings: string[] }>
  for (const { page, title, headings } of pages) {
    const { body } = await app.inject(`/docs/pages/${page}`)
    for (const [level, text] of [['#', title], ...headings.map(heading => ['##', heading])]) t.match(body, `${level} ${text}\n`, page)
  }
  t.match(pages.find(({ page }) => page === 'guides/bill-a-contract.md'), { title: 'Bill a contract' })
  t.notOk(pages.some(({ page, headings }) => page.startsWith('decisions/') || headings.some(heading => heading.startsWith('/etc'))))
})

t.test('the search finds addresses and names first, then descriptions and fields, without accents', async (t) => {
  const { Search } = await moduleOf('search.js') as { Search: new (description: unknown) => SearchOfPage }
  const { Description } = await moduleOf('document.js') as { Description: new (spec: unknown) => unknown }
  const search = new Search(new Description(await app.openapi()))
  const found = (text: string) => {
    const { named, mentions } = search.operations(text)
    return [[...named].sort(), mentions.map(({ operation, places }) => [operation.operationId, ...places])]
  }
  t.strictSame(found('estado-de-cuenta'), found('  ESTADO-DE-CUENTÁ '))
  t.strictSame(found('POST create a contract createcontract')[0], ['createContract'])
  t.strictSame(found('monto createcontract'), [[], [['createContract', 'field monto']]])
  t.strictSame(found('listcontracts ordering'), [[], [['listContracts', 'parameter ordering']]])
  t.strictSame(found('kilowatt'), [[], []])
  t.strictSame(found('')[1], [], 'an empty text hides nothing')
})

interface SearchOfPage {
  operations: (text: string) => { named: Set<string>, mentions: Array<{ operation: { operationId: string }, places: string[] }> }
}

t.test('a write is not sent with the example of the page unless the user confirms it', { skip: withoutBrowser }, async (t) => {
  const writer = await buildOn(t, { ...database, close: async () => {} })
  await writer.listen({ host: '127.0.0.1', port: 0 })
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 390, height: 700 } })
  const page = await context.newPage()
  const sent: string[] = []
  page.on('request', request => { if (!['GET', 'OPTIONS'].includes(request.method())) sent.push(request.method()) })
  await page.goto(`http://127.0.0.1:${(writer.server.address() as AddressInfo).port}/docs/#/contracts/createContract`)
  const create = page.locator('#createContract')
  const button = create.getByRole('button', { name: 'Send' })
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send the example?' })
  await dialog.waitFor()
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Go back', 'a second Enter sends nothing')
  t.strictSame((await new AxeBuilder({ page }).include('dialog').analyze()).violations.map(({ id }) => id), [])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await button.click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  t.strictSame(sent, [])
  await button.click()
  await dialog.getByRole('button', { name: 'Send the example' }).click()
  await create.locator('.answer .status', { hasText: /^401/ }).waitFor()
  await create.getByLabel('Body', { exact: true }).fill('{"folio":"PAGE-2"}')
  const edited = page.waitForResponse(response => response.request().postData() === '{"folio":"PAGE-2"}')
  await button.click()
  await edited
  t.strictSame(sent, ['POST', 'POST'], 'an edited body needs no confirmation')

  // A DELETE has no example of an id.
  const remove = page.locator('#deleteContract')
  await remove.locator('summary').first().click()
  await remove.getByRole('button', { name: 'Send' }).click()
  const id = remove.getByLabel('id', { exact: false }).first()
  t.equal(await id.inputValue(), '')
  t.equal(await page.evaluate('document.activeElement.name'), 'path:id', 'the missing id has the focus')
  t.equal(sent.length, 2)

  // The button is in sight before and after the whole form.
  for (const place of ['summary', '.responses']) {
    await page.evaluate(`document.querySelector('#createContract ${place}').scrollIntoView()`)
    const box = await button.boundingBox()
    t.ok(box !== null && box.y >= 0 && box.y + box.height <= 700, place)
  }
})

t.test('a user logs in on the page, sends requests and sees the answers', { skip: withoutBrowser }, async (t) => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const context = await (await openBrowser(t)).newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const events = watch(page, origin)
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname.replace(/^\/api\/v1/, '')))

  await page.goto(`${origin}/docs#/contracts/listContracts`)
  const list = page.locator('#listContracts')
  await list.getByRole('button', { name: 'Send' }).waitFor()
  const box = await list.getByRole('button', { name: 'Send' }).boundingBox()
  t.ok(box !== null && box.y >= 0 && box.y + box.height <= 900, 'the button is in sight')
  const [refused, why] = await send(list)
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

  const changed = async () => await page.locator('#listContracts .answer .status', { hasText: /^200/ }).waitFor()
  await list.getByLabel('folio', { exact: true }).fill('ON-2026-001')
  await list.getByLabel('Answer as').selectOption('application/json')
  await list.getByRole('button', { name: 'Send' }).click()
  await changed()
  t.match(await list.locator('pre.body').innerText(), /"count": 1\b[^]+"folio": "ON-2026-001"/)
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0, 'tokens are only in the memory of the page')

  // Opened with the keyboard.
  const create = page.locator('#createContract')
  await create.locator('summary').first().press('Enter')
  await create.getByLabel('Body', { exact: true }).fill('{"folio":"PAGE-1"}')
  t.match((await send(create))[0], /^201/)
  t.equal(await create.locator('.answer').getByText('As a command').count(), 1)
  const { violations } = await new AxeBuilder({ page }).analyze()
  t.strictSame(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`), [])

  await list.getByLabel('folio', { exact: true }).fill('ON-2026-002')
  const find = page.getByLabel('Find an operation')
  await find.fill('estado-de-cuenta')
  t.equal(await page.locator('.operation:visible').count(), 1)
  // A guide is a view of the page: the log-in, the search and the forms stay.
  await find.fill('contrato por folio')
  await page.getByText('Nothing found for “contrato por folio”').waitFor()
  t.equal(await page.locator('.operation:visible').count(), 0)
  await find.fill('settle advance')
  const guide = page.getByRole('link', { name: 'Deliver an advance and settle' })
  await guide.click()
  await page.getByRole('heading', { name: 'Deliver an advance and settle', level: 1 }).waitFor()
  t.equal(await page.evaluate('document.activeElement.tagName'), 'H1', 'the focus is on the guide')
  t.match(await page.title(), 'Deliver an advance')
  t.notOk(await find.isVisible())
  t.strictSame((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id), [])
  await page.goBack()
  await find.waitFor()
  t.equal(await find.inputValue(), 'settle advance')
  t.match(await page.evaluate('document.activeElement.textContent'), 'Deliver an advance', 'the focus is back on the link')
  t.ok(await page.locator('#who', { hasText: 'director@demo.example' }).isVisible(), 'the user is still logged in')
  t.equal(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length'), 0, 'without a stored token')
  await page.goForward()
  await page.getByRole('heading', { name: 'Deliver an advance and settle', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'API reference' }).click()
  await find.fill('anticipo_porcentaje')
  const mention = page.locator('.found li', { hasText: 'Retrieve a contract (field anticipo_porcentaje)' })
  await mention.getByRole('link', { name: 'GET /api/v1/contracts/{id}/' }).click()
  await page.locator('#retrieveContract').getByRole('button', { name: 'Send' }).waitFor()
  await find.fill('')
  t.equal(await list.getByLabel('folio', { exact: true }).inputValue(), 'ON-2026-002')

  await page.locator('#log-out button').press('Enter')
  await form.waitFor()
  await page.locator('#log-in input[name=email]:focus').waitFor()
  t.ok(requests.includes('/api-token-revoke/'))
  t.strictSame(events, [])

  // A log-in that is sent in the reference counts too, here with an expired access token.
  await page.route('**/api-token-auth/', async (route) => {
    const response = await route.fetch()
    const { access, refresh } = await response.json()
    await route.fulfill({ response, json: { access: expired(access), refresh } })
  })
  const logIn = page.locator('#logIn')
  await logIn.locator('summary').first().click()
  await logIn.getByLabel('Body', { exact: true }).fill(JSON.stringify({ email: 'auxiliar@demo.example', password: demoPassword }))
  await send(logIn)
  await page.locator('#who', { hasText: 'Logged in' }).waitFor()
  requests.length = 0
  await list.getByLabel('folio', { exact: true }).fill('')
  await list.getByRole('button', { name: 'Send' }).click()
  await list.locator('pre.body', { hasText: '"count": 61' }).waitFor()
  t.strictSame(requests, ['/api-token-refresh/', '/contracts/'], 'the token is refreshed before the request')

  // Logs in as the Director again, then in the reference as another user: the page must not show the Director any longer.
  await page.unrouteAll()
  await page.locator('#log-out button').click()
  await form.getByLabel('Email').fill('director@demo.example')
  await form.getByLabel('Password').fill(demoPassword)
  await form.getByRole('button').click()
  await page.locator('#who', { hasText: 'director@demo.example' }).waitFor()
  await send(logIn)
  await page.locator('#who', { hasText: 'Logged in' }).waitFor()

  await list.getByRole('link', { name: 'Bill a contract' }).click()
  await page.getByRole('heading', { name: 'Bill a contract', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Guides', exact: true }).click()
  await page.getByRole('link', { name: 'Tutorial' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  t.strictSame(events, [])
})
