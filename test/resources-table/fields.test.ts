import t from 'tap'
import { message, type Language, type MessageKey } from '../../src/language/messages.ts'
import { build } from '../helper.ts'
import { expectationsOf, type Refusal } from './body-kinds.ts'
import { entries, idsOf } from './resources.ts'

const headers = (language: Language) => ({ 'content-type': 'application/json', 'accept-language': language })
const said = (language: Language, [, key, values]: Refusal) => message(language, key, values)
const required = message('en', 'required')

/** A body as JSON text, so that numbers stand in it as they were written. */
function written (fields: Record<string, unknown>, more: Record<string, string> = {}): string {
  const parts = Object.entries(fields).filter(([field]) => more[field] === undefined).map(([field, value]) => [field, JSON.stringify(value)])
  return `{${[...parts, ...Object.entries(more)].map(([field, json]) => `${JSON.stringify(field)}:${json}`).join()}}`
}

for (const entry of entries) {
  t.test(`fields of ${entry.name}`, async (t) => {
    const server = await build(t)
    const director = await server.as('director@demo.example')
    await entry.prepare?.(director)
    const ids = await idsOf(server)
    const [list, bulk] = [`${entry.name}/`, `${entry.name}/bulk/`]
    let number = 0
    const right = () => entry.right(++number)
    const { id } = (await director.post(list, right())).json()
    const one = `${entry.name}/${id}/`
    const before = (await director.get(one)).json()
    const count = async () => (await director.get(list)).json().count
    const records = await count()

    const fields = Object.entries(entry.patch.properties)
    const readOnly = fields.filter(([, schema]) => schema['readOnly'] === true).map(([field]) => field)
    const expectations = Object.fromEntries(fields.filter(([field]) => !readOnly.includes(field)).map(([field, schema]) => {
      const expected = expectationsOf(field, schema)
      const { own, foreign } = ids[entry.references[field] ?? ''] ?? {}
      return [field, own === undefined
        ? { ...expected, taken: entry.taken?.[field] ?? expected.taken }
        : { refused: [...expected.refused, [String(foreign), 'doesNotExist', { pk_value: foreign }] as Refusal], taken: expected.taken }]
    }))

    t.test('bodies take every field of the answer, and those alone', async (t) => {
      t.strictSame(Object.keys(entry.body.properties).sort(), fields.map(([field]) => field).sort())
      t.strictSame(Object.keys(entry.record.properties).filter(field => entry.patch.properties[field] === undefined), [])
      t.strictSame(Object.keys(before).sort(), Object.keys(entry.record.properties).sort())
      t.strictSame((await director.send('PUT', one, before)).json(), before, 'GET → PUT changes nothing')
    })

    for (const [field, { refused, taken }] of Object.entries(expectations)) {
      t.test(`${field}: what it refuses is told under it alone, by POST, PUT and PATCH`, async (t) => {
        for (const refusal of refused) {
          const bodies = [['POST', list, written(right(), { [field]: refusal[0] }), 'en'], ['PUT', one, written(right(), { [field]: refusal[0] }), 'es'], ['PATCH', one, `{"${field}":${refusal[0]}}`, 'es']] as const
          for (const [method, url, body, language] of bodies) {
            const response = await director.send(method, url, body, headers(language))
            t.equal(response.statusCode, 400, `${method} ${refusal[0].slice(0, 40)}`)
            const fixed = method !== 'POST' && entry.fixed?.includes(field) === true && refusal[1] === 'doesNotExist' ? [message(language, 'immutable')] : []
            t.strictSame(response.json(), { detail: message(language, 'invalidInput'), errors: { [field]: [...fixed, said(language, refusal)] } }, `${method} ${refusal[0].slice(0, 40)}`)
          }
        }
        if (!entry.bulk) return
        for (const language of ['en', 'es'] as const) {
          const items = [JSON.stringify(right()), ...refused.map(([json]) => written(right(), { [field]: json }))]
          const response = await director.send('POST', bulk, `{"items":[${items.join()}]}`, headers(language))
          t.equal(response.statusCode, 400)
          t.strictSame(response.json().errors, Object.fromEntries(refused.map((refusal, index) => [`items.${index + 1}.${field}`, [said(language, refusal)]])))
        }
      })

      t.test(`${field}: what it takes at its limits is kept`, async (t) => {
        for (const [json, kept] of taken) {
          const response = await director.send('POST', list, written({ ...right(), ...entry.beside?.[field] }, { [field]: json }), headers('en'))
          t.equal(response.statusCode, 201, `${json.slice(0, 40)}: ${response.statusCode === 201 ? '' : response.body}`)
          t.strictSame(response.json()[field], kept, json.slice(0, 40))
          await server.psql(`delete from ${entry.name} where id = $1`, [response.json().id])
        }
      })
    }

    t.test('what is wrong with all of them is told at once, with what nobody has', async (t) => {
      const first = Object.entries(expectations).map(([field, { refused }]) => [field, refused[0] as Refusal] as const)
      const body = written({}, { ...Object.fromEntries(first.map(([field, [json]]) => [field, json])), nada: '1', company: '2' })
      for (const language of ['en', 'es'] as const) {
        const say = (key: MessageKey) => [message(language, key)]
        const errors = { ...Object.fromEntries(first.map(([field, refusal]) => [field, [said(language, refusal)]])), nada: say('unknownField'), company: say('companyMismatch') }
        for (const [method, url] of [['POST', list], ['PUT', one], ['PATCH', one]] as const) t.strictSame((await director.send(method, url, body, headers(language))).json().errors, errors, method)
        if (!entry.bulk) continue
        const told = Object.fromEntries([1, 0].flatMap(index => Object.entries(errors).map(([field, messages]) => [`items.${index}.${field}`, messages])))
        t.strictSame((await director.send('POST', bulk, `{"items":[${body},${body}]}`, headers(language))).json().errors, told)
      }
    })

    t.test('those that are required are, but by PATCH; read-only ones are passed over', async (t) => {
      const errors = Object.fromEntries((entry.body['required'] as string[]).map(field => [field, [required]]))
      for (const [method, url] of [['POST', list], ['PUT', one]] as const) t.strictSame((await director.send(method, url, {})).json().errors, errors, method)
      if (entry.bulk) t.strictSame((await director.post(bulk, { items: [{}] })).json().errors, Object.fromEntries(Object.keys(errors).map(field => [`items.0.${field}`, [required]])))
      t.strictSame((await director.send('PATCH', one, {})).json(), before)

      const garbage = Object.fromEntries(readOnly.filter(field => field !== 'company').map(field => [field, { x: [null] }]))
      t.strictSame((await director.send('PATCH', one, garbage)).json(), before)
      const made = [(await director.post(list, { ...right(), ...garbage })).json(), ...entry.bulk ? (await director.post(bulk, { items: [{ ...right(), ...garbage }] })).json().results : []]
      for (const created of made) {
        for (const field of Object.keys(garbage)) t.notSame(created[field], garbage[field], field)
      }
      await server.psql(`delete from ${entry.name} where id = any ($1)`, [made.map(({ id }) => id)])
    })

    t.strictSame((await director.get(one)).json(), before, 'after all of which nothing has changed')
    t.equal(await count(), records)
  })
}
