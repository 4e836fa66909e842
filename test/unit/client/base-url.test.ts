import t, { type Test } from 'tap'
import { createObraClient } from 'obra/client'

const example = "Set the URL of the service, such as createObraClient({ baseUrl: 'https://api.example.mx' })."
const tokens = { access: 'a', refresh: 'r' }

/** Runs on a page with this URL, or where there is none. */
async function on (page: { document?: { baseURI: string }, location?: { href: string } }, work: () => void | Promise<void>): Promise<void> {
  Object.assign(globalThis, page)
  try {
    await work()
  } finally {
    for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
  }
}

function refused (t: Test, baseUrl: unknown, reason: string): void {
  t.throws(() => createObraClient({ baseUrl: baseUrl as string, tokens }), { name: 'TypeError', message: `${reason}. ${example}` }, String(baseUrl))
}

t.test('without a page, a client needs an absolute base URL', async (t) => {
  const absolute = 'without a page, as in Node.js and React Native, it must be an absolute URL'
  t.throws(() => createObraClient({ tokens }), { name: 'TypeError', message: `baseUrl is missing: ${absolute}. ${example}` })
  refused(t, '', `baseUrl is missing: ${absolute}`)
  for (const relative of ['/obra', 'api.example.mx', '//api.example.mx', 'http://']) refused(t, relative, `baseUrl ${JSON.stringify(relative)} cannot be used: ${absolute}`)
  refused(t, 'localhost:3000', 'baseUrl "localhost:3000" cannot be used: requests would go to localhost: and not to https: or http:')
  refused(t, null, 'baseUrl null cannot be used: it is not a string')
  for (const right of ['https://api.example.mx', 'http://127.0.0.1:3000/', 'https://example.mx/obra']) {
    const sent: string[] = []
    const obra = createObraClient({
      baseUrl: right,
      tokens,
      fetch: async ({ url }) => {
        sent.push(url)
        return Response.json({})
      }
    })
    await obra.GET('/api/v1/contracts/')
    t.strictSame(sent, [`${right.replace(/\/$/, '')}/api/v1/contracts/`])
  }
})

t.test('a page or a worker completes the base URL', async (t) => {
  for (const page of [{ document: { baseURI: 'https://app.example.mx/a/' } }, { location: { href: 'http://127.0.0.1:3000/worker.js' } }]) {
    await on(page, () => {
      for (const options of [{}, { baseUrl: '' }, { baseUrl: '/obra' }]) t.doesNotThrow(() => createObraClient({ ...options, tokens }))
      refused(t, 'ftp://example.mx', 'baseUrl "ftp://example.mx" cannot be used: requests would go to ftp: and not to https: or http:')
    })
  }
  await on({ document: { baseURI: 'file:///app/index.html' } }, () => refused(t, '', 'baseUrl is missing: requests would go to file: and not to https: or http:'))
})
