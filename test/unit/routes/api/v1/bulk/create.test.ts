import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { indexed, samples, traces } from './samples.ts'
import { invalid } from '../../../../../support/invalid.ts'

for (const { name, item, wrong } of samples) {
  t.test(`creating many ${name}`, async (t) => {
    const server = await build(t)
    const [director, coordinador, other] = await Promise.all([server.as('director@demo.example'), server.as('coordinador@demo.example'), server.as('director@otra.example')])
    const url = `${name}/bulk/`
    const count = async () => (await director.get(`${name}/`)).json().count

    t.test('returns the complete records in the order of the items, as a GET does', async (t) => {
      const before = await count()
      const [{ revision }] = await server.psql('select revision from company_revisions where company_id = 1') as [{ revision: number }]
      const items = Array.from({ length: 25 }, (_, index) => ({ ...item(100 - index), external_id: `orden-${index % 2}${index}` }))
      const response = await coordinador.post(url, { items })
      t.equal(response.statusCode, 201)
      t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
      const body = response.json()
      t.strictSame(Object.keys(body), ['count', 'results'])
      t.equal(body.count, 25)
      t.match(body.results, items)
      for (const record of body.results) t.strictSame((await director.get(`${name}/${record.id}/`)).json(), record)
      t.equal(await count(), before + 25)
      const changes = await server.psql('select resource, operation, count(*) as n from changes where company_id = 1 and revision > $1 group by 1, 2', [revision])
      t.strictSame(changes, [{ resource: name, operation: 'insert', n: 25 }])
    })

    t.test('accepts a single item, and the address without its trailing slash', async (t) => {
      const response = await director.post(`${name}/bulk`, { items: [item(300)] })
      t.equal(response.statusCode, 201)
      t.match(response.json(), { count: 1, results: [{ ...item(300), company: 1, version: 1 }] })
    })

    t.test('creates all or none, and reports all errors by index, those of the schema and of the database together', async (t) => {
      const before = await traces(server)
      const items = [
        item(400),
        { ...item(401), ...wrong.schema },
        { ...item(402), ...wrong.database },
        item(403),
        { ...item(404), ...wrong.schema, ...wrong.database },
        { ...item(405), company: 2 },
        {}
      ]
      const response = await director.post(url, { items })
      t.equal(response.statusCode, 400)
      const required = Object.fromEntries(Object.keys(item(0)).filter(field => field !== 'descripcion').map(field => [field, ['This field is required.']]))
      t.strictSame(response.json(), invalid({
        ...indexed(1, wrong.messages[0]),
        ...indexed(2, wrong.messages[1]),
        ...indexed(4, { ...wrong.messages[0], ...wrong.messages[1] }),
        ...indexed(5, { company: ['This field must be your active company.'] }),
        ...indexed(6, required)
      }))
      t.strictSame([...new Set(Object.keys(response.json().errors).map(field => field.split('.')[1]))], ['1', '2', '4', '5', '6'], 'in the order of the items')
      t.equal(await traces(server), before, 'counters, revision, change log and records have not changed')

      const spanish = await director.post(url, { items: [{ ...item(400), company: 2 }] }, { 'accept-language': 'es' })
      t.strictSame(spanish.json(), invalid({ 'items.0.company': ['Este campo debe ser su empresa activa.'] }, 'es'))
    })

    t.test('the first of several duplicates in one request is valid, and the others are errors', async (t) => {
      const before = await traces(server)
      const twice = { ...item(500), external_id: 'doble' }
      const items = [item(501), twice, item(502), twice, { ...item(503), external_id: 'doble' }]
      const unique = ['This field must be unique.']
      const own = name === 'estimates' ? {} : Object.fromEntries(Object.keys(item(0)).map(field => [field, unique]))
      const response = await director.post(url, { items })
      t.equal(response.statusCode, 400)
      t.strictSame(response.json().errors, { ...indexed(3, { ...own, external_id: unique }), ...indexed(4, { external_id: unique }) })
      t.equal(await traces(server), before)
    })

    t.test('does not conflict with records of other companies', async (t) => {
      const theirs = async (number: number) => name === 'estimates' ? { contract: (await other.get('contracts/?page_size=1')).json().results[0].id } : item(number)
      t.equal((await other.post(url, { items: [{ ...await theirs(600), external_id: 'igual' }] })).statusCode, 201)
      t.equal((await director.post(url, { items: [{ ...item(600), external_id: 'igual' }] })).statusCode, 201)
      if (name !== 'contracts') return
      const [foreign] = await server.psql('select c.id, p.id as party from contracts c, contrapartes p where c.company_id = 3 and p.company_id = 3 limit 1') as [{ id: number, party: number }]
      t.strictSame((await director.post(url, { items: [{ ...item(601), parent: foreign.id }, { ...item(602), contraparte: foreign.party }] })).json().errors, {
        'items.0.parent': [`Invalid pk "${foreign.id}" - object does not exist.`], 'items.1.contraparte': [`Invalid pk "${foreign.party}" - object does not exist.`]
      })
    })
  })
}

t.test('items may name a counterparty', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const party = 'Aceros y Estructuras Lumen, S.A. de C.V.'
  const { results } = (await director.post('contracts/bulk/', { items: [{ folio: 'N-1', contraparte: party.normalize('NFD') }, { folio: 'N-2', contraparte: 4 }, { folio: 'N-3', contraparte: null }] })).json()
  t.match(results, [{ contraparte: party, contraparte_id: 4 }, { contraparte: party, contraparte_id: 4 }, { contraparte: null, contraparte_id: null }])
})
