import t from 'tap'
import { contracts } from '../../../../../../src/domain/contracts/resource.ts'
import { build } from '../../../../../support/helper.ts'
import { invalid } from '../../../../../support/invalid.ts'

t.test('fields=', async (t) => {
  const { as, app } = await build(t)
  const director = await as('director@demo.example')
  const headers = { authorization: `Bearer ${director.access}` }
  const pick = (record: Record<string, unknown>, fields: string[]) => Object.fromEntries(Object.entries(record).filter(([field]) => fields.includes(field)))

  t.test('returns only those fields, with unchanged values', async (t) => {
    const list = (await director.get('contracts/?page_size=3')).json()
    const detail = (await director.get('contracts/2/')).json()
    const names = Object.keys(list.results[0])
    t.ok(names.length > 15)
    for (const fields of [...names.map(name => [name]), ['id', 'folio'], ['monto', 'id'], ['version', 'created_at', 'updated_at'], names]) {
      const listed = (await director.get(`contracts/?page_size=3&fields=${fields.join(',')}`)).json()
      t.strictSame(listed.results, list.results.map((record: Record<string, unknown>) => pick(record, fields)), fields.join())
      t.strictSame([listed.count, listed.previous], [list.count, list.previous])
    }
    for (const fields of [...Object.keys(detail).map(name => [name]), ['descripcion', 'hijos'], Object.keys(detail)]) {
      t.strictSame((await director.get(`contracts/2/?fields=${fields.join(',')}`)).json(), pick(detail, fields))
    }
  })

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

  t.test('with an unknown field is 400 under fields', async (t) => {
    for (const [url, name] of [['contracts/?fields=', 'nada'], ['contracts/?fields=id,', 'descripcion'], ['contracts/?fields=', 'hijos'], ['contracts/?fields=', 'revision'], ['contracts/1/?fields=', 'company_id'], ['contracts/1/?fields=folio,', 'busqueda']] as const) {
      const response = await director.get(url + name)
      t.equal(response.statusCode, 400, name)
      const schema = url.includes('/1/') ? contracts.schemas.record : contracts.schemas.item
      t.strictSame(response.json(), invalid({ fields: [`"${name}" is not a valid choice. Valid choices: ${Object.keys(schema.properties).join(', ')}.`] }))
    }
  })
})
