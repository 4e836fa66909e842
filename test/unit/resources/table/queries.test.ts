import t from 'tap'
import { message, type Language } from '../../../../src/http/messages.ts'
import { atOnce } from '../../../support/at-once.ts'
import { build } from '../../../support/helper.ts'
import { queryExpectationsOf, type QueryRefusal } from './query-kinds.ts'
import { entries } from './resources.ts'
import { invalid } from '../../../support/invalid.ts'

const encoded = (parameters: Array<readonly [string, string]>) => parameters.map(pair => pair.map(encodeURIComponent).join('=')).join('&')
/** Whether a boolean parameter has a value for `true`. */
const isTrue = (value: string) => /^(?:true|1|t|yes|on)$/i.test(value)
const textOf = (language: Language, [, key, values]: QueryRefusal) => message(language, key, values)

for (const entry of entries) {
  t.test(`parameters of ${entry.name}`, async (t) => {
    const server = await build(t)
    const client = await server.as(entry.by)
    await entry.prepare?.(client, server)
    for (const number of [1, 2, 3]) await client.post(`${entry.name}/`, entry.right(number))
    const ask = async (query: string, language: Language = 'en') => await client.get(`${entry.name}/?${query}`, { 'accept-language': language })
    // `format` is checked before the other parameters, and has its own tests.
    const parameters = Object.entries(entry.schemas.listQuery.properties).filter(([name]) => name !== 'format')
    const expectations = parameters.map(([name, schema]) => [name, queryExpectationsOf(name, schema)] as const)

    // A cursor is checked against the ordering after the other parameters, so it gets requests of its own.
    for (const group of [expectations.filter(([name]) => name !== 'cursor'), expectations.filter(([name]) => name === 'cursor')]) {
      t.test(`a 400 lists the error of ${group.length === 1 ? 'the cursor' : 'every parameter with a wrong value'}`, async (t) => {
        const most = Math.max(...group.map(([, { refused }]) => refused.length))
        const rounds = Array.from({ length: most }, (_, round) => group.flatMap(([name, { refused }]) => refused[round] === undefined ? [] : [[name, refused[round]] as const]))
        for (const language of ['en', 'es'] as const) {
          for (const [wrong, response] of await atOnce(rounds, async wrong => await ask(encoded(wrong.map(([name, [value]]) => [name, value])), language))) {
            const errors = Object.fromEntries(wrong.map(([name, refusal]) => [name, [textOf(language, refusal)]]))
            t.strictSame([response.statusCode, response.json()], [400, invalid(errors, language)], JSON.stringify(wrong).slice(0, 200))
          }
        }
      })
    }

    for (const [name, { taken }] of expectations) {
      t.test(`${name}: valid values return a page`, async (t) => {
        for (const [value, response] of await atOnce(taken, async value => await ask(encoded([[name, value]])))) {
          t.equal(response.statusCode, 200, `${value.slice(0, 40)}: ${response.body.slice(0, 200)}`)
          const isAdded = name === 'totals' ? isTrue(value) : name === 'count_exact' && !isTrue(value)
          t.strictSame(Object.keys(response.json()), ['count', 'next', 'previous', 'results', ...isAdded ? [name] : []])
        }
      })

      t.test(`${name}: a repeated parameter is refused, unless it is fields`, async (t) => {
        const response = await ask(encoded([[name, taken[0]], [name, taken[0]]]))
        // `fields` can be repeated; an ordering names each field once.
        t.equal(response.statusCode, name === 'fields' ? 200 : 400)
        if (name === 'fields') return
        t.strictSame(response.json().errors, { [name]: [name === 'ordering' ? message('en', 'orderedTwice', { field: taken[0] }) : message('en', 'repeatedParameter')] })
      })
    }

    t.test('a 400 lists the errors of all parameters and unknown parameters', async (t) => {
      // A cursor belongs to an ordering, so it is checked only if the ordering is valid.
      const others = ['nada', 'toString', '__proto__', 'constructor', 'Page', 'page[]', 'company_id', 'password', 'id__in']
      const first = expectations.filter(([name, { refused }]) => name !== 'cursor' && refused.length > 0).map(([name, { refused }]) => [name, refused[0]] as const)
      for (const language of ['en', 'es'] as const) {
        const response = await ask(encoded([...first.map(([name, [value]]) => [name, value] as const), ...others.map(name => [name, '1'] as const)]), language)
        const errors = [...first.map(([name, refusal]) => [name, [textOf(language, refusal)]]), ...others.map(name => [name, [message(language, 'unknownParameter')]])]
        t.strictSame(Object.entries(response.json().errors).sort(), errors.sort())
      }
    })

    t.test('an invalid page is 404', async (t) => {
      const pages = ['', '0', '-1', 'x', '1.5', '1e0', ' 1', 'LAST', '999', '9'.repeat(40), '\0', '0x1', '٢']
      for (const language of ['en', 'es'] as const) {
        for (const [page, response] of await atOnce(pages, async page => await ask(encoded([['page', page]]), language))) {
          t.equal(response.statusCode, 404, page)
          t.strictSame(response.json(), { detail: message(language, 'invalidPage'), code: 'not_found' })
        }
      }
    })

    t.test('a single record accepts only the parameter fields', async (t) => {
      const [{ id }] = (await ask('page_size=1')).json().results
      for (const name of ['page', 'ordering', 'search', 'nada']) t.strictSame((await client.get(`${entry.name}/${id}/?${name}=1`)).json().errors, { [name]: ['Unknown query parameter.'] })
      t.strictSame((await client.get(`${entry.name}/${id}/?fields=id`)).json(), { id })
      t.strictSame((await client.get(`${entry.name}/${id}/?fields=nada`)).json().errors, { fields: [message('en', 'invalidChoiceOf', { input: 'nada', choices: Object.keys(entry.schemas.record.properties) })] })
    })

    t.test('an invalid id is 404', async (t) => {
      const ids = ['0', '-1', '1.5', 'x', '0x1', '1e0', '2147483647', '2147483648', '9007199254740991', '9007199254740993', '9'.repeat(50), '%00', "1'", '١']
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', ...entry.deletedAgain === undefined ? [] : ['DELETE' as const]] as const) {
        const ask = async (id: string) => await client.send(method, `${entry.name}/${encodeURIComponent(id).replaceAll('%25', '%')}/`, method.startsWith('P') ? entry.right(4) : undefined)
        for (const [id, { statusCode, body }] of await atOnce(ids, ask)) t.strictSame([statusCode, body], [404, method === 'HEAD' ? '' : '{"detail":"Not found.","code":"not_found"}'], `${method} ${id}`)
      }
    })

    t.test('each field can be selected, and every ordering works in both directions', async (t) => {
      const [item] = (await ask('')).json().results
      for (const [field, response] of await atOnce(Object.keys(entry.schemas.item.properties), async field => await ask(`fields=${field}`))) t.strictSame(response.json().results[0], { [field]: item[field] })
      const one = `${entry.name}/${item.id}/`
      const record = (await client.get(one)).json()
      for (const [field, response] of await atOnce(Object.keys(record), async field => await client.get(`${one}?fields=${field}`))) t.strictSame(response.json(), { [field]: record[field] })
      const ids = async (ordering: string) => (await ask(`ordering=${ordering}&page_size=200`)).json().results.map((record: { id: number }) => record.id)
      const orderings: string[] = entry.schemas.listQuery.properties['ordering']?.['items'].enum
      for (const field of orderings.filter(field => !field.startsWith('-'))) {
        const [up, down] = field === 'id' ? [field, `-${field}`] : [`${field},id`, `-${field},-id`]
        t.strictSame(await ids(up), (await ids(down)).reverse(), field)
        t.strictSame((await ask(`ordering=${field},-${field}`)).json().errors, { ordering: [message('en', 'orderedTwice', { field })] })
      }
    })
  })
}
