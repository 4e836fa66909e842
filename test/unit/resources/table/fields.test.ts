import type { TObject } from '@sinclair/typebox'
import t from 'tap'
import { message, type Language, type MessageKey } from '../../../../src/http/messages.ts'
import { nonFieldErrors } from '../../../../src/http/errors.ts'
import { logIn } from '../../../../src/auth/log-in.ts'
import { recordId } from '../../../../src/resources/validation/convert.ts'
import { atOnce } from '../../../support/at-once.ts'
import { build } from '../../../support/helper.ts'
import { expectationsOf, type Refusal } from './body-kinds.ts'
import { entries, forget, idsOf } from './resources.ts'
import { invalid, refuses } from '../../../support/invalid.ts'

const headers = (language: Language) => ({ 'content-type': 'application/json', 'accept-language': language })
const textOf = (language: Language, [, key, values]: Refusal) => message(language, key, values)
const required = message('en', 'required')

/** A body as JSON text, so that numbers keep their digits. */
function written (fields: Record<string, unknown>, more: Record<string, string> = {}): string {
  const parts = Object.entries(fields).filter(([field]) => more[field] === undefined).map(([field, value]) => [field, JSON.stringify(value)])
  return `{${[...parts, ...Object.entries(more)].map(([field, json]) => `${JSON.stringify(field)}:${json}`).join()}}`
}

for (const entry of entries) {
  t.test(`fields of ${entry.name}`, async (t) => {
    const server = await build(t)
    const client = await server.as(entry.by)
    await entry.prepare?.(client, server)
    const ids = await idsOf(server)
    const [list, bulk] = [`${entry.name}/`, `${entry.name}/bulk/`]
    let number = 0
    const right = () => entry.right(++number)
    const { id } = (await client.post(list, right())).json()
    const one = `${entry.name}/${id}/`
    const before = (await client.get(one)).json()
    const count = async () => (await client.get(list)).json().count
    const records = await count()

    const fields = Object.entries(entry.schemas.patch.properties).filter(([field]) => entry.ofChanges?.includes(field) !== true)
    const readOnly = fields.filter(([, schema]) => schema['readOnly'] === true).map(([field]) => field)
    const secret = fields.filter(([, schema]) => schema['writeOnly'] === true).map(([field]) => field)
    const expectations = Object.fromEntries(fields.filter(([field]) => !readOnly.includes(field)).map(([field, schema]) => {
      const { refused, taken } = expectationsOf(field, schema)
      return [field, { refused, taken: entry.taken?.[field] ?? taken }]
    }))
    const bodies = (field: string, json: string) => [
      ['POST', list, written(right(), { [field]: json }), 'en'], ['PUT', one, written(right(), { [field]: json }), 'es'], ['PATCH', one, `{"${field}":${json}}`, 'es']
    ] as const
    const refusalOf = (method: string, language: Language, field: string, refusal: Refusal) => {
      const isChange = method !== 'POST' && entry.fixed?.includes(field) === true && refusal[1] === 'doesNotExist' && recordId(refusal[2]?.['pk_value']) > 0
      return invalid({ [field]: [isChange ? message(language, 'immutable') : textOf(language, refusal)] }, language)
    }

    t.test('bodies have the fields of the answer and no others', async (t) => {
      t.strictSame(Object.keys(entry.schemas.create.properties).sort(), fields.map(([field]) => field).sort())
      t.strictSame(Object.keys(entry.schemas.update.properties).sort(), [...fields.map(([field]) => field), ...entry.ofChanges ?? []].sort())
      t.strictSame(fields.map(([field]) => field).filter(field => !secret.includes(field)).sort(), [...new Set([...Object.keys(entry.schemas.record.properties), ...entry.alsoShown ?? []])].sort())
      t.strictSame(Object.keys(before).sort(), Object.keys(entry.schemas.record.properties).sort())
      t.strictSame((await client.send('PUT', one, before)).json(), before, 'GET → PUT changes nothing')
    })

    for (const [field, { refused, taken }] of Object.entries(expectations)) {
      if (entry.bulk) {
        t.test(`${field}: a bulk lists the error of each item with a wrong value`, async (t) => {
          for (const language of ['en', 'es'] as const) {
            const items = [JSON.stringify(right()), ...refused.map(([json]) => written(right(), { [field]: json }))]
            const response = await client.send('POST', bulk, `{"items":[${items.join()}]}`, headers(language))
            t.equal(response.statusCode, 400)
            t.strictSame(response.json().errors, Object.fromEntries(refused.map((refusal, index) => [`items.${index + 1}.${field}`, [textOf(language, refusal)]])))
          }
        })
      }

      t.test(`${field}: values at its limits are stored`, async (t) => {
        for (const [json, kept] of taken) {
          const response = await client.send('POST', list, written({ ...right(), ...entry.beside?.[field] }, { [field]: json }), headers('en'))
          t.equal(response.statusCode, 201, `${json.slice(0, 40)}: ${response.statusCode === 201 ? '' : response.body}`)
          t.strictSame(response.json()[field], kept, json.slice(0, 40))
          if (secret.includes(field)) t.ok(await logIn(server.database.sql, response.json().email, typeof JSON.parse(json) === 'string' ? JSON.parse(json) : json, async work => await work()), 'the user can log in with it')
          await forget(server, entry, [response.json().id])
        }
      })
    }

    t.test('POST, PUT and PATCH list the error of every field with a wrong value', async (t) => {
      const most = Math.max(...Object.values(expectations).map(({ refused }) => refused.length))
      // Each request has one wrong value for every field.
      const rounds = Array.from({ length: most }, (_, round) => Object.entries(expectations).flatMap(([field, { refused }]) => refused[round] === undefined ? [] : [[field, refused[round]] as const]))
      for (const [wrong, answers] of await atOnce(rounds, async (wrong) => {
        const json = Object.fromEntries(wrong.map(([field, [json]]) => [field, json]))
        return [
          ['POST', 'en', await client.send('POST', list, written(right(), json), headers('en'))],
          ['PUT', 'es', await client.send('PUT', one, written(right(), json), headers('es'))],
          ['PATCH', 'es', await client.send('PATCH', one, written({}, json), headers('es'))]
        ] as const
      })) {
        for (const [method, language, response] of answers) {
          const errors = Object.assign({}, ...wrong.map(([field, refusal]) => refusalOf(method, language, field, refusal).errors))
          t.strictSame([response.statusCode, response.json()], [400, invalid(errors, language)], `${method} ${JSON.stringify(wrong).slice(0, 200)}`)
        }
      }
    })

    for (const [field, resource] of Object.entries(entry.references)) {
      t.test(`${field}: an inaccessible record does not exist`, async (t) => {
        const { foreign } = ids[resource]
        const refusal: Refusal = [String(foreign), 'doesNotExist', { pk_value: foreign }]
        const within = entry.within === undefined ? client : await server.as(entry.within)
        for (const [method, url, body, language] of bodies(field, refusal[0])) {
          const response = await within.send(method, url, body, headers(language))
          t.equal(response.statusCode, 400, method)
          t.strictSame(response.json(), refusalOf(method, language, field, refusal), method)
        }
        if (!entry.bulk) return
        const response = await within.send('POST', bulk, `{"items":[${written(right(), { [field]: refusal[0] })}]}`, headers('es'))
        t.strictSame(response.json().errors, { [`items.0.${field}`]: [textOf('es', refusal)] })
        if (![entry.schemas.patch.properties[field]?.['type']].flat().includes('string')) return
        await server.psql(`update ${resource} set nombre = 'Solo de otra' where id = $1`, [foreign])
        const byName: Refusal = ['"Solo de otra"', 'nameDoesNotExist', { slug_name: 'nombre', value: 'Solo de otra' }]
        for (const [method, url, body, language] of bodies(field, byName[0])) t.strictSame((await client.send(method, url, body, headers(language))).json(), refusalOf(method, language, field, byName), method)
      })
    }

    for (const [field, resource] of Object.entries(entry.references)) {
      t.test(`${field}: an id can be a string of digits, or a name where names are accepted`, async (t) => {
        const { own } = ids[resource]
        const byName = [entry.schemas.patch.properties[field]?.['type']].flat().includes('string')
        const fields = right()
        const shown = async (json: string) => {
          const response = await client.send('POST', list, written(fields, { [field]: json }), headers('en'))
          const { id, errors, ...record } = response.json()
          await forget(server, entry, [id].filter(id => id !== undefined))
          return { status: response.statusCode, value: record[field], errors }
        }
        const byNumber = await shown(String(own))
        for (const json of byName ? [] : [`"${own}"`, `" ${own} "`, `"+0${own}"`]) t.strictSame(await shown(json), byNumber, json)
        if (byName) t.strictSame((await shown(`"${own}"`)).errors, { [field]: [message('en', 'nameDoesNotExist', { slug_name: 'nombre', value: String(own) })] })
      })
    }

    for (const [under, values] of Object.entries(entry.unique)) {
      t.test(`${Object.keys(values).join(' and ')}: must be unique`, async (t) => {
        const taken = (await client.post(list, { ...right(), ...values })).json()
        const key: Parameters<typeof message> = under === nonFieldErrors ? ['en', 'uniqueSet', { field_names: Object.keys(values).join(', ') }] : ['en', 'unique']
        for (const [method, url, body] of [['POST', list, { ...right(), ...values }], ['PUT', one, { ...right(), ...values }], ['PATCH', one, values]] as const) {
          refuses(t, await client.send(method, url, body), { [under]: [message(...key)] }, method)
        }
        t.strictSame((await client.send('PATCH', `${list}${taken.id}/`, values)).json(), taken, 'a record can keep its own value')
        await forget(server, entry, [taken.id])

        const others: number[] = []
        for (let n = 0; n < 4; n++) others.push((await client.post(list, right())).json().id)
        const creates = await Promise.all(Array.from({ length: 8 }, async () => await client.post(list, { ...right(), ...values })))
        await forget(server, entry, creates.filter(({ statusCode }) => statusCode === 201).map(made => made.json().id))
        const changes = await Promise.all(others.map(async id => await client.send('PATCH', `${list}${id}/`, values)))
        for (const [answers, success] of [[creates, 201], [changes, 200]] as const) {
          t.equal(answers.filter(({ statusCode }) => statusCode === success).length, 1, 'one of several concurrent requests succeeds')
          for (const answer of answers.filter(({ statusCode }) => statusCode !== success)) t.strictSame([answer.statusCode, answer.json()], [400, invalid({ [under]: [message(...key)] })])
        }
        await forget(server, entry, others)
      })
    }

    t.test('a 400 lists the errors of all fields and unknown fields', async (t) => {
      const first = Object.entries(expectations).map(([field, { refused }]) => [field, refused[0]] as const)
      const body = written({}, { ...Object.fromEntries(first.map(([field, [json]]) => [field, json])), nada: '1', ...entry.ofCompany ? { company: '2' } : {} })
      for (const language of ['en', 'es'] as const) {
        const say = (key: MessageKey) => [message(language, key)]
        const errors = { ...Object.fromEntries(first.map(([field, refusal]) => [field, [textOf(language, refusal)]])), nada: say('unknownField'), ...entry.ofCompany ? { company: say('companyMismatch') } : {} }
        for (const [method, url] of [['POST', list], ['PUT', one], ['PATCH', one]] as const) t.strictSame((await client.send(method, url, body, headers(language))).json().errors, errors, method)
        if (!entry.bulk) continue
        const expected = Object.fromEntries([1, 0].flatMap(index => Object.entries(errors).map(([field, messages]) => [`items.${index}.${field}`, messages])))
        t.strictSame((await client.send('POST', bulk, `{"items":[${body},${body}]}`, headers(language))).json().errors, expected)
      }
    })

    t.test('required fields are required except by PATCH; read-only fields are ignored', async (t) => {
      const missing = (schema: TObject) => Object.fromEntries((schema.required as string[]).map(field => [field, [required]]))
      const errors = { ...missing(entry.schemas.create), ...Object.fromEntries(Object.entries(entry.alsoRequired ?? {}).map(([field, message]) => [field, [message]])) }
      const ofItem = Object.fromEntries(Object.entries(errors).map(([field, messages]) => [`items.0.${field}`, messages]))
      for (const [method, url, expected] of [['POST', list, errors], ['PUT', one, missing(entry.schemas.update)]] as const) {
        for (const body of ['{}', '', undefined]) t.strictSame((await client.send(method, url, body, body === undefined ? {} : headers('en'))).json(), invalid(expected), method)
      }
      if (entry.bulk) t.strictSame((await client.post(bulk, { items: [{}] })).json().errors, ofItem)
      t.strictSame((await client.send('PATCH', one, {})).json(), before)

      const garbage = Object.fromEntries(readOnly.filter(field => field !== 'company').map(field => [field, { x: [null] }]))
      t.strictSame((await client.send('PATCH', one, garbage)).json(), before)
      const made = [(await client.post(list, { ...right(), ...garbage })).json(), ...entry.bulk ? (await client.post(bulk, { items: [{ ...right(), ...garbage }] })).json().results : []]
      for (const created of made) {
        for (const field of Object.keys(garbage)) t.notSame(created[field], garbage[field], field)
      }
      await forget(server, entry, made.map(({ id }) => id))
    })

    t.test('a body that is not an object, or not JSON, has an error without a field', async (t) => {
      const types = [['[]', 'list'], ['"x"', 'str'], ['1', 'int'], ['1.50', 'float'], ['true', 'bool']]
      for (const [method, url] of [['POST', list], ['PUT', one], ['PATCH', one]] as const) {
        const errors = async (body: string, language: Language = 'es') => (await client.send(method, url, body, headers(language))).json().errors
        for (const [body, type] of types as Array<[string, string]>) t.strictSame(await errors(body), { [nonFieldErrors]: [message('es', 'notObject', { datatype: type })] }, body)
        t.strictSame(await errors('null'), { [nonFieldErrors]: [message('es', 'null')] })
        for (const body of ['{', '{"a":}', '{"a":01}', '{"a":NaN}', '{"__proto__":{}}', '{}{}']) t.match(await errors(body, 'en'), { [nonFieldErrors]: [/^JSON parse error - ./] }, body)
      }
    })

    t.strictSame((await client.get(one)).json(), before, 'the refused requests changed nothing')
    t.equal(await count(), records)
  })
}
