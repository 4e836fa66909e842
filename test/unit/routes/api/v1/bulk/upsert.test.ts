import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { indexed, made, samples, traces } from './samples.ts'

const unique = ['This field must be unique.']

for (const { name, item, wrong } of samples) {
  t.test(`upsert of ${name}`, async (t) => {
    const server = await build(t)
    const director = await server.as('director@demo.example')
    const upsert = async (items: unknown[]) => await director.post(`${name}/bulk/`, { items, upsert: 'external_id' })
    const text = name === 'contrapartes' ? 'notas' : 'descripcion'

    t.test('creates absent records and changes existing ones, in the order of the items', async (t) => {
      const [a, b] = [await made(director, name, { ...item(1), external_id: 'a' }), await made(director, name, { ...item(2), external_id: 'b', [text]: 'queda' })]
      const response = await upsert([{ ...item(3), external_id: 'c' }, { ...item(2), [text]: undefined, external_id: ' b ' }, { ...item(1), external_id: 'a', [text]: 'cambiada' }, { ...item(4), external_id: 'd' }])
      t.equal(response.statusCode, 201)
      const { count, results } = response.json()
      t.equal(count, 4)
      t.match(results, [{ external_id: 'c', version: 1 }, { id: b['id'], version: 1, [text]: 'queda' }, { id: a['id'], version: 2, [text]: 'cambiada' }, { external_id: 'd', version: 1 }])
      t.strictSame(results[1], b, 'an unchanged record keeps its version, and an omitted field its value')
      for (const record of results) t.strictSame((await director.get(`${name}/${record.id}/`)).json(), record)
    })

    t.test('needs the required fields only for new records', async (t) => {
      const before = (await upsert([{ ...item(3), external_id: 'c' }])).json().results[0]
      const [field] = Object.keys(item(0))
      const csv = async (rows: string[], more = '') => await director.post(`${name}/bulk/?upsert=external_id${more}`, [`external_id,${text}`, ...rows].join('\n'), { 'content-type': 'text/csv' })
      const required = ['This field is required.']
      for (const [what, send] of Object.entries({ json: async (value: string) => await upsert([{ external_id: 'c', [text]: value }]), csv: async (value: string) => await csv([`c,${value}`]) })) {
        const changed = await send(what)
        t.match([changed.statusCode, changed.json().results], [201, [{ id: before.id, [field]: before[field], [text]: what }]], what)
      }
      const items = [{ external_id: 'c', [text]: 'no' }, { external_id: 'nuevo' }, { external_id: 'malo', [text]: true }]
      t.strictSame((await upsert(items)).json().errors, { [`items.1.${field}`]: required, [`items.2.${field}`]: required, [`items.2.${text}`]: ['Not a valid string.'] })
      t.strictSame((await csv(['c,no', 'nuevo,x'])).json().errors, { [`items.1.${field}`]: required })
      t.match((await csv(['c,queda', 'nuevo,x'], '&partial=true')).json().results, [{ id: before.id, [text]: 'queda' }, { errors: { [field]: required } }])
      t.equal((await upsert([{ ...item(3), external_id: 'c' }])).statusCode, 201)
    })

    t.test('of existing, equal records writes nothing', async (t) => {
      const before = await traces(server)
      const items = [{ ...item(3), external_id: 'c' }, { ...item(4), external_id: 'd' }]
      const first = await upsert(items)
      t.equal(first.statusCode, 201)
      t.strictSame((await upsert(items)).json(), first.json())
      t.equal(await traces(server), before)
    })

    t.test('requires a different external_id in each item', async (t) => {
      const before = await traces(server)
      const response = await upsert([item(10), { ...item(11), external_id: null }, { ...item(12), external_id: ' ' }, { ...item(13), external_id: true }, { ...item(14), external_id: 'z' }, { ...item(15), external_id: 'c' }, { ...item(16), external_id: 'c' }, { ...item(17), external_id: ' z' }])
      t.equal(response.statusCode, 400)
      t.strictSame(response.json().errors, {
        'items.0.external_id': ['This field is required.'],
        'items.1.external_id': ['This field may not be null.'],
        'items.2.external_id': ['This field may not be blank.'],
        'items.3.external_id': ['Not a valid string.'],
        'items.6.external_id': unique,
        'items.7.external_id': unique
      })
      t.equal(await traces(server), before)
    })

    t.test('writes all or none, creates and changes', async (t) => {
      const before = await traces(server)
      const response = await upsert([{ ...item(20), external_id: 'neu' }, { ...item(1), external_id: 'a', [text]: 'otra' }, { ...item(3), external_id: 'c', ...wrong.schema }, { ...item(21), external_id: 'e', ...wrong.schema }])
      t.equal(response.statusCode, 400)
      t.strictSame(response.json().errors, { ...indexed(2, wrong.messages[0]), ...indexed(3, wrong.messages[0]) })
      t.equal(await traces(server), before)
    })

    t.test('without upsert, an existing external_id is an error', async (t) => {
      const before = await traces(server)
      t.strictSame((await director.post(`${name}/bulk/`, { items: [{ ...item(30), external_id: 'a' }] })).json().errors, { 'items.0.external_id': unique })
      t.equal(await traces(server), before)
    })

    t.test('neither sees nor changes another company\'s record with the same external_id', async (t) => {
      await server.psql(`update ${name === 'contrapartes' ? name : 'contracts'} set external_id = 'ajeno' where id = (select min(id) from ${name === 'contrapartes' ? name : 'contracts'} where company_id = 3)`)
      const foreign = async () => JSON.stringify(await server.psql('select * from contracts where company_id = 3 order by id')) + JSON.stringify(await server.psql('select * from contrapartes where company_id = 3 order by id'))
      const before = await foreign()
      const response = await upsert([{ ...item(40), external_id: 'ajeno' }])
      t.equal(response.statusCode, 201)
      t.match(response.json().results, [{ company: 1, external_id: 'ajeno', version: 1 }])
      t.equal(await foreign(), before)
    })

    t.test('of the same records by concurrent callers creates each once, and every caller sees complete writes', async (t) => {
      const items = Array.from({ length: 40 }, (_, index) => ({ ...item(100 + index), external_id: `a-la-vez-${index}` }))
      const answers = await Promise.all(Array.from({ length: 6 }, async (_, by) => await upsert(items.map(one => ({ ...one, [text]: `por ${by}` })))))
      t.strictSame(answers.map(({ statusCode }) => statusCode), Array(6).fill(201))
      const ids = answers.map(answer => answer.json().results.map((record: { id: number }) => record.id))
      for (const own of ids) t.strictSame(own, ids[0])
      const versions = answers.map(answer => [...new Set(answer.json().results.map((record: { version: number }) => record.version))])
      t.strictSame(versions.flat().sort(), [1, 2, 3, 4, 5, 6], 'each saw all or none of another\'s writes')
      t.equal((await server.psql(`select from ${name} where external_id like 'a-la-vez-%'`)).length, 40)
    })
  })
}

t.test('conflicting changes in one request', async (t) => {
  const server = await build(t)
  const director = await server.as('director@demo.example')
  const upsert = async (items: unknown[]) => await director.post('contracts/bulk/', { items, upsert: 'external_id' })
  const [, , c] = [await made(director, 'contracts', { folio: 'A', external_id: 'a' }), await made(director, 'contracts', { folio: 'B', external_id: 'b' }), await made(director, 'contracts', { folio: 'C', external_id: 'c' })]

  t.test('two items that swap their folios are both errors', async (t) => {
    const before = await traces(server)
    t.strictSame((await upsert([{ folio: 'B', external_id: 'a' }, { folio: 'A', external_id: 'b' }])).json().errors, { 'items.0.folio': unique, 'items.1.folio': unique })
    t.equal(await traces(server), before)
  })

  t.test('a final state and an inactive company are reported by index', async (t) => {
    await director.send('PATCH', `contracts/${c['id']}/`, { estado: 'cancelado' })
    const response = await upsert([{ folio: 'C', external_id: 'c', estado: 'vigente' }, { folio: 'B', external_id: 'b', company: 2 }])
    t.strictSame(response.json().errors, { 'items.0.estado': ['"cancelado" cannot change to "vigente". It is final.'], 'items.1.company': ['This field must be your active company.'] })
  })
})
