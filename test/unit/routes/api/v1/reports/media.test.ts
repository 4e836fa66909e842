import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'

const { newSite } = await buildSites(t)
const site = await newSite([], { monto: '1000' })
const estimate = await site.estimate({ monto: '100' })
const [pdf, svg, csv, json] = ['application/pdf', 'image/svg+xml', 'text/csv', 'application/json'] as const
const routes = { caratula: `estimates/${estimate}/caratula/`, curve: `contracts/${site.contract}/avance/`, list: 'contracts/', record: `contracts/${site.contract}/` }

/** The status, or the media type of a success. */
async function answered (url: string, accept: string): Promise<number | string | undefined> {
  const { statusCode, headers: { 'content-type': type } } = await site.client.get(url, { accept })
  return statusCode === 200 ? String(type).split(';', 1)[0] : statusCode
}

const cases: Array<[route: keyof typeof routes, accept: string, answer: string | number]> = [
  ['caratula', 'application/pdf;q=0.5, text/csv;q=0.9', csv],
  ['caratula', 'application/pdf;q=0.9, text/csv;q=0.5', pdf],
  ['caratula', 'application/pdf, text/csv;q=0.9, */*;q=0.1', pdf],
  ['caratula', 'application/json;q=0.2, text/csv;q=0.3, application/pdf;q=0.4', pdf],
  ['caratula', 'application/json;q=0.5, application/pdf;q=0.4, text/csv;q=0.3', json],
  ['caratula', 'text/html, application/pdf;q=0.001', pdf],
  ['caratula', 'APPLICATION/PDF; Q=0.5, text/csv ;q=0.4', pdf],
  ['caratula', 'application/pdf;version="1,7";q=0.5, text/csv;q=0.6', csv],
  ['caratula', 'application/pdf;version="1,7;q=0";q=0.7, text/csv;q=0.6', pdf],
  ['caratula', '*/*', json],
  ['caratula', 'application/*', json],
  ['caratula', 'application/*, application/json;q=0.9', pdf],
  ['caratula', 'text/*', csv],
  ['caratula', 'text/*;q=0.3, application/pdf;q=0.2', csv],
  ['caratula', '*/*, application/json;q=0, text/csv;q=0', pdf],
  ['caratula', '*/*;q=0.5, application/pdf;q=0', json],
  ['caratula', 'application/pdf;q=0', 406],
  ['caratula', 'application/pdf;q=0, text/csv;q=0.0, application/json;q=0.000', 406],
  ['caratula', 'image/svg+xml', 406],
  ['curve', 'image/svg+xml;q=0.5, text/csv;q=0.9', csv],
  ['curve', 'image/svg+xml;q=0.9, text/csv;q=0.5', svg],
  ['curve', 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8', svg],
  ['curve', 'image/*', svg],
  ['curve', 'image/*;q=0, */*;q=0.1', json],
  ['curve', 'application/pdf', 406],
  ['list', 'text/csv;q=0.5, application/json;q=0.6', json],
  ['list', 'text/csv;q=0.6, application/json;q=0.5', csv],
  ['list', 'text/*;q=0.9, text/csv;q=0.1, application/json;q=0.5', json],
  ['list', 'application/pdf, text/csv;q=0.1', csv],
  ['record', 'text/csv, application/json;q=0.1', json],
  ['record', 'text/csv, application/json;q=0', 406]
]

t.test('`Accept` selects the format with the greatest weight', async (t) => {
  for (const [route, accept, answer] of cases) t.equal(await answered(routes[route], accept), answer, `${route}: ${accept}`)
})

t.test('`format` decides before `Accept`', async (t) => {
  for (const [format, type] of [['json', json], ['csv', csv]] as const) {
    for (const accept of ['application/pdf', 'application/pdf, text/csv;q=0.5', 'application/pdf;q=0.5, application/json;q=0.1']) {
      t.equal(await answered(`${routes.caratula}?format=${format}`, accept), type, `${format}: ${accept}`)
    }
  }
  t.equal(await answered(`${routes.caratula}?%66ormat=json`, 'application/pdf'), json)
})

t.test('each form has an ETag of its own, and names what it varies by', async (t) => {
  const tags = new Set<unknown>()
  for (const accept of [json, csv, pdf]) {
    const { headers: { etag, vary } } = await site.client.get(routes.caratula, { accept })
    t.match(vary, /(^|,)Accept(,|$)/, accept)
    for (const other of [json, csv, pdf]) {
      const { statusCode } = await site.client.get(routes.caratula, { accept: other, 'if-none-match': String(etag) })
      t.equal(statusCode, other === accept ? 304 : 200, `${other} with the ETag of ${accept}`)
    }
    tags.add(etag)
  }
  t.equal(tags.size, 3)
})

t.test('a PDF gets no content coding, because its content is compressed', async (t) => {
  const coded = { accept: pdf, 'accept-encoding': 'gzip, br, zstd' }
  const plain = await site.client.get(routes.caratula, { accept: pdf })
  t.ok(plain.rawPayload.length > 1024)
  t.match(plain.rawPayload.toString('latin1'), /\/FlateDecode/)
  for (const count of [1, 2]) {
    const { headers, rawPayload } = await site.client.get(routes.caratula, coded)
    t.strictSame([headers['content-encoding'], headers.etag, rawPayload.length], [undefined, plain.headers.etag, plain.rawPayload.length], String(count))
  }
  const { statusCode, headers } = await site.client.get(routes.caratula, { ...coded, 'if-none-match': '*' })
  t.strictSame([statusCode, headers.etag], [304, plain.headers.etag])
  const list = await site.client.get(routes.list, { accept: json, 'accept-encoding': 'gzip' })
  t.equal(list.headers['content-encoding'], 'gzip')
})
