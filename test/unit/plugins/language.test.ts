import t from 'tap'
import { build, buildOn } from '../../support/helper.ts'

const { app, as, database } = await build(t)
const director = await as('director@demo.example')
const messages = { en: 'Not found.', es: 'No encontrado.' }

t.test('Accept-Language selects the language in any spelling, else the default applies', async (t) => {
  for (const [header, language] of [
    ['es', 'es'], ['es_MX', 'es'], ['es-MX', 'es'], ['ES_mx', 'es'], ['es-419', 'es'], ['es_419', 'es'], ['es-Latn-MX', 'es'], ['es_MX.UTF-8', 'es'], ['es-MX,es;q=0.9,en;q=0.8', 'es'], ['fr, es_MX;q=0.5', 'es'], ['en;q=0.1, es_MX;q=0.2', 'es'], ['en;q=0, *', 'es'],
    ['en', 'en'], ['en_US', 'en'], ['en-GB,es;q=0.9', 'en'], ['es;q=0.1, en', 'en'], ['es;q=0', 'en'], ['*', 'en'], ['fr, *;q=0.1', 'en'], ['de_DE', 'en'],
    ['', 'en'], [';;;', 'en'], ['_', 'en'], ['spanish', 'en'], ['es MX', 'en'], ['x'.repeat(8000), 'en'], ['_,'.repeat(4000), 'en']
  ] as const) {
    const response = await director.get('contracts/0/', { 'accept-language': header })
    t.strictSame([response.headers['content-language'], response.json().detail], [language, messages[language]], header.slice(0, 40))
  }
  const response = await director.get('contracts/0/')
  t.strictSame([response.headers['content-language'], response.json().detail], ['en', messages.en])
})

t.test('every JSON answer has Content-Language and varies by Accept-Language', async (t) => {
  const headers = { 'accept-language': 'es_MX' }
  const answers = [
    await director.get('contracts/', headers), await director.get('contracts/1/?fields=id', headers), await director.get('me/', headers), await director.send('HEAD', 'contracts/', undefined, headers),
    await director.post('contracts/', {}, headers), await director.post('contracts/', { folio: 'ES' }, headers), await director.get('contracts/?page=9999', headers), await director.get('nowhere/', headers),
    await director.send('PUT', 'contracts/', undefined, headers), await director.get('customers/', headers), await director.get('contracts/', { ...headers, accept: 'text/html' }),
    await app.inject({ url: '/api/v1/me/', headers }), await app.inject({ url: '/nowhere', headers }), await app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'x', password: 'y' }, headers })
  ]
  t.strictSame(answers.map(({ statusCode }) => statusCode), [200, 200, 200, 200, 400, 201, 404, 404, 405, 403, 406, 401, 404, 401])
  for (const { headers, statusCode } of answers) {
    t.equal(headers['content-language'], 'es', String(statusCode))
    t.match(headers['vary'], /\bAccept-Language\b/, String(statusCode))
  }
})

t.test('an answer without a body has no language, and the document is English', async (t) => {
  const headers = { 'accept-language': 'es' }
  const [list, me] = [await director.get('contracts/'), await director.get('me/')]
  for (const [path, { headers: { etag } }] of [['contracts/', list], ['me/', me]] as const) {
    const fresh = await director.get(path, { ...headers, 'if-none-match': String(etag) })
    t.strictSame([fresh.statusCode, fresh.headers['content-language']], [304, undefined], path)
  }
  const options = await director.send('OPTIONS', 'contracts/', undefined, headers)
  t.strictSame([options.statusCode, options.headers['content-language']], [204, undefined])
  t.equal((await app.inject({ url: '/openapi.json', headers })).headers['content-language'], 'en')
  t.equal((await app.inject({ url: '/docs/', headers })).headers['content-language'], undefined)
})

t.test('a cached page of another language names the caller’s language', async (t) => {
  for (const language of ['en', 'es', 'en']) t.equal((await director.get('contrapartes/', { 'accept-language': language })).headers['content-language'], language)
})

t.test('the configuration sets the default language', async (t) => {
  const spanish = await buildOn(t, { ...database, close: async () => {} }, { DEFAULT_LANGUAGE: 'es' })
  for (const [header, language] of [[undefined, 'es'], ['*', 'es'], ['fr', 'es'], ['en_US', 'en']] as const) {
    const response = await spanish.inject({ url: '/api/v1/nowhere/', headers: { authorization: `Bearer ${director.access}`, ...header === undefined ? {} : { 'accept-language': header } } })
    t.strictSame([response.headers['content-language'], response.json().detail], [language, messages[language]], header ?? 'none')
  }
})
