import t from 'tap'
import { build } from '../../../../../support/helper.ts'

t.test('fields=', async (t) => {
  const { as, app } = await build(t)
  const director = await as('director@demo.example')
  const headers = { authorization: `Bearer ${director.access}` }

  t.test('is kept in links, and next works whichever fields are omitted', async (t) => {
    const folios: string[] = []
    for (let url: string | null = '/api/v1/contracts/?fields=folio&ordering=-monto&page_size=25'; url !== null;) {
      const body: { next: string | null, results: Array<{ folio: string }> } = (await app.inject({ url, headers })).json()
      for (const record of body.results) t.strictSame(Object.keys(record), ['folio'])
      folios.push(...body.results.map(({ folio }) => folio))
      url = body.next
    }
    t.equal(new Set(folios).size, 60)
  })

  t.test('accepts spaces, duplicates and repeated parameters', async (t) => {
    for (const query of ['fields=id,folio', 'fields=%20id%20,folio,', 'fields=id&fields=folio', 'fields=folio,id,id']) {
      t.strictSame((await director.get(`contracts/1/?${query}`)).json(), { id: 1, folio: 'ON-2026-001' }, query)
    }
  })
})
