import t from 'tap'
import { loadConfig } from '../../src/config.ts'
import { build } from '../support/helper.ts'

const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.obra.example' }
const required = { en: 'This field is required.', es: 'Este campo es requerido.' }

/** The `next` link of a list for a client at that address. */
async function nextLink ({ app, as }: Awaited<ReturnType<typeof build>>, remoteAddress: string): Promise<string> {
  const { access } = await as('auxiliar@demo.example')
  const headers = { ...forwarded, host: 'inside:3000', authorization: `Bearer ${access}` }
  return (await app.inject({ url: '/api/v1/contracts/', headers, remoteAddress })).json().next
}

t.test('forwarded headers are trusted only from the proxies of TRUST_PROXY', async (t) => {
  const fresh = await build(t, loadConfig({ TRUST_PROXY: '10.0.0.0/8, ::1', LOG_LEVEL: 'silent', JWT_SECRET: 'x'.repeat(32) }))
  for (const address of ['10.1.2.3', '::1']) t.match(await nextLink(fresh, address), /^https:\/\/api\.obra\.example\/api\/v1\/contracts\/\?/, address)
  for (const address of ['11.1.2.3', '127.0.0.1', '::2']) t.match(await nextLink(fresh, address), /^http:\/\/inside:3000\/api\/v1\/contracts\/\?/, address)
  const { json } = await fresh.app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'a@b.mx' } })
  t.strictSame(json().errors, { password: [required.en] }, 'English by default')
})

t.test('PUBLIC_URL is the origin of every link, and DEFAULT_LANGUAGE the language if the client accepts no supported one', async (t) => {
  const fresh = await build(t, loadConfig({ PUBLIC_URL: 'https://obra.example.mx', DEFAULT_LANGUAGE: 'es', TRUST_PROXY: 'true', LOG_LEVEL: 'silent', JWT_SECRET: 'x'.repeat(32) }))
  t.match(await nextLink(fresh, '10.1.2.3'), /^https:\/\/obra\.example\.mx\/api\/v1\/contracts\/\?/)
  const created = await (await fresh.as('director@demo.example')).post('contracts/', { folio: 'P-1' })
  t.equal(created.headers['location'], `https://obra.example.mx/api/v1/contracts/${created.json().id}/`)

  const messageFor = async (language?: string) => (await fresh.app.inject({
    method: 'POST',
    url: '/api/v1/api-token-auth/',
    payload: { email: 'a@b.mx' },
    headers: language === undefined ? {} : { 'accept-language': language }
  })).json().errors.password[0]
  for (const language of [undefined, 'fr', 'de-DE, fr;q=0.5', '*', 'es-MX']) t.equal(await messageFor(language), required.es, String(language))
  for (const language of ['en', 'en-GB, es;q=0.5', 'fr, en;q=0.1']) t.equal(await messageFor(language), required.en, language)
})
