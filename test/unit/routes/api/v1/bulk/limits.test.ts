import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { samples, traces } from './samples.ts'
import { refuses } from '../../../../../support/invalid.ts'

const headers = { 'content-type': 'application/json' }

for (const { name, item, keys } of samples) {
  t.test(`limits of ${name}/bulk/`, async (t) => {
    const server = await build(t)
    const { as, psql } = server
    const director = await as('director@demo.example')
    const url = `${name}/bulk/`
    const refused = async (t: Tap, body: string, errors: Record<string, string>) => {
      refuses(t, await director.send('POST', url, body, headers), Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]])), body.slice(0, 60))
    }

    t.test('a body without a valid list of items is 400', async (t) => {
      const before = await traces(server)
      const right = JSON.stringify(item(1))
      await refused(t, '{}', { items: 'This field is required.' })
      await refused(t, '', { items: 'This field is required.' })
      await refused(t, '[]', { non_field_errors: 'Invalid data. Expected a dictionary, but got list.' })
      await refused(t, 'null', { non_field_errors: 'This field may not be null.' })
      await refused(t, '"items"', { non_field_errors: 'Invalid data. Expected a dictionary, but got str.' })
      for (const [json, type] of [['{}', 'dict'], ['"a"', 'str'], ['1', 'int'], ['1.50', 'float'], ['true', 'bool']]) await refused(t, `{"items":${json}}`, { items: `Expected a list of items but got type "${type}".` })
      await refused(t, '{"items":null}', { items: 'This field may not be null.' })
      await refused(t, '{"items":[]}', { items: 'Ensure this field has at least 1 elements.' })
      await refused(t, `{"items":[${right},1,"a",null,[],true,1.50]}`, {
        'items.1': 'Invalid data. Expected a dictionary, but got int.',
        'items.2': 'Invalid data. Expected a dictionary, but got str.',
        'items.3': 'This field may not be null.',
        'items.4': 'Invalid data. Expected a dictionary, but got list.',
        'items.5': 'Invalid data. Expected a dictionary, but got bool.',
        'items.6': 'Invalid data. Expected a dictionary, but got float.'
      })
      const choices = `Valid choices: ${keys.join(', ')}.`
      for (const upsert of ['id', '', 'External_id', 'monto', 'rfc', 'toString']) {
        await refused(t, `{"items":[${right}],"upsert":"${upsert}"}`, { upsert: `"${upsert}" is not a valid choice. ${choices}` })
      }
      await refused(t, `{"items":[${right}],"upsert":null}`, { upsert: 'This field may not be null.' })
      await refused(t, `{"items":[${right}],"upsert":true}`, { upsert: `"true" is not a valid choice. ${choices}` })
      for (const unknown of ['nada', 'results', 'items.0', 'items.0.folio', 'items.1.folio', 'items.9', 'Items']) await refused(t, `{"items":[${right}],"${unknown}":1}`, { [unknown]: 'Unknown field.' })
      await refused(t, `{"items":[${right}],"__proto__":{}}`, { non_field_errors: 'JSON parse error - Object contains forbidden prototype property' })
      t.equal(await traces(server), before)
    })

    t.test('1,000 items are accepted, 1,001 are refused', async (t) => {
      // An estimate's answer has sums over its contract, so the items are spread over contracts, as in practice.
      const spread = (number: number) => name === 'estimates' ? { contract: 1 + number % 50 } : {}
      const items = Array.from({ length: 1001 }, (_, number) => ({ ...item(1000 + number), ...spread(number), external_id: `mil-${number}` }))
      const before = await traces(server)
      for (const what of [items, Array(1001).fill(1), Array(5000).fill({ nada: 1 })]) await refused(t, JSON.stringify({ items: what }), { items: 'Ensure this field has no more than 1000 elements.' })
      t.equal(await traces(server), before)

      items.pop()
      // Without statistics, PostgreSQL plans for an empty table, and the embedded database does not collect them itself.
      t.equal((await director.post(url, { items: items.slice(0, 100).map((one, index) => ({ ...one, ...item(5000 + index), ...spread(index), external_id: null })) })).statusCode, 201)
      await psql(`analyze ${name}`)
      const start = performance.now()
      const response = await director.post(url, { items })
      t.equal(response.statusCode, 201)
      t.comment(`1,000 ${name}: ${Math.round(performance.now() - start)} ms`)
      t.equal(response.json().count, 1000)
      t.strictSame(response.json().results.map((record: { external_id: string }) => record.external_id), items.map(({ external_id: id }) => id))

      await psql(`analyze ${name}`)
      const again = performance.now()
      const changed = await director.post(url, { items: items.map((one, index) => ({ ...one, ...name === 'contrapartes' ? { notas: `n${index}` } : { descripcion: `n${index}` } })), upsert: 'external_id' })
      t.equal(changed.statusCode, 201)
      t.comment(`1,000 ${name} changed: ${Math.round(performance.now() - again)} ms`)
      t.ok(changed.json().results.every((record: { version: number }) => record.version === 2))
      t.equal((await psql(`select count(*) as n from ${name} where company_id = 1 and version = 2 and external_id like 'mil-%'`))[0]?.['n'], 1000)
    })

    t.test('a body above the limit of a single record is accepted, one above 16 MiB is 413', async (t) => {
      const padded = (bytes: number) => `{"items":[${JSON.stringify(item(3000))}]${' '.repeat(bytes)}}`
      const large = await director.send('POST', url, padded(2 * 1024 * 1024), headers)
      t.equal(large.statusCode, 201)
      const response = await director.send('POST', url, padded(16 * 1024 * 1024), headers)
      t.equal(response.statusCode, 413)
      t.strictSame(response.json(), { detail: 'The request body is larger than 16 MiB, the limit of this operation.', code: 'body_too_large' })
    })

    t.test('a body of too many values is 413 with their limit', async (t) => {
      const response = await director.send('POST', url, `{"items":[[${'0,'.repeat(66_000)}0]]}`, headers)
      t.strictSame([response.statusCode, response.json()], [413, { detail: 'The request body has more than 66000 values. Send the items in several requests.', code: 'body_too_large' }])
    })

    t.test('an item of more than 64 fields has one error, not one per field', async (t) => {
      const large = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, 1]))
      await refused(t, JSON.stringify({ items: [item(1), large] }), { 'items.1': 'Ensure this field has no more than 64 elements.' })
      const few = await director.post(url, { items: [{ ...item(1), ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`f${index}`, 1])) }] })
      t.equal(Object.keys(few.json().errors).length, 40)
    })
  })
}

type Tap = Pick<typeof t, 'equal' | 'strictSame'>
