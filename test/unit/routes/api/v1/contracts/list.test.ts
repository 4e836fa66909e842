import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('a list is a page of the active company\'s records, in the envelope', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')

  const response = await director.get('contracts/')
  t.equal(response.statusCode, 200)
  t.match(response.headers, { 'cache-control': 'private, no-cache', etag: /^"/ })
  const { count, next, previous, results } = response.json()
  t.equal(count, 60)
  t.equal(previous, null)
  t.match(next, /^http:\/\/localhost(:80)?\/api\/v1\/contracts\/\?cursor=[\w-]+&page=2$/)
  t.equal(results.length, 20)
  t.equal(results[0].folio, 'ON-2026-001')
  t.notOk('descripcion' in results[0])

  const other = await (await as('director@otra.example')).get('contracts/')
  t.equal(other.json().count, 25)
  t.ok(other.json().results.every((contract: { folio: string }) => contract.folio.startsWith('OU-')))
})
