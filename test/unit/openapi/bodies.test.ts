import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { invisible } from '../../../src/http/invisible.ts'
import { messages, type MessageKey } from '../../../src/http/messages.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { character } from '../../support/character.ts'
import { build } from '../../support/helper.ts'
import { formats, referring } from '../../support/openapi/contract.ts'

const document = await describeService() as { components: { schemas: Record<string, { properties: Record<string, object> }> } }
const ajv = new Ajv2020({ strict: false, formats }).addSchema(document, 'document')
const { as } = await build(t)
const callers = { director: await as('director@demo.example'), superusuario: await as('superusuario@demo.example') }

/** Messages about the form of a value. Absent records and taken values are not described by the document. */
const ofForm: MessageKey[] = [
  'notString', 'nullCharacter', 'notNumber', 'notInteger', 'notBoolean', 'notDate', 'notEmail', 'notUuid', 'notRfc', 'invalidChoiceOf', 'incorrectPk', 'null', 'blank', 'maxLength', 'minLength',
  'minValue', 'maxValue', 'maxDecimalPlaces', 'maxWholeDigits', 'unknownField'
]
const isOfForm = (message: string) => ofForm.some(key => messages.en[key].split(/\{\w+\}/).every(part => message.includes(part)))

const booleans = new Map<unknown, boolean>([...['t', 'y', 'yes', 'true', 'on', '1', 1].map(form => [form, true] as const), ...['f', 'n', 'no', 'false', 'off', '0', 0].map(form => [form, false] as const)])
const references = ['parent', 'contract', 'customer', 'user', 'company']

/** Fields that accept further forms; the document describes only one. */
function formsOf (field: string, value: unknown): unknown[] {
  // A number is an id, a string a name.
  if (field === 'contraparte') return []
  if (typeof value === 'number') return [String(value), booleans.get(value)]
  if (typeof value !== 'string') return []
  return [booleans.get(value.toLowerCase()), ...value === '' && references.includes(field) ? [null] : [], ...(/^\d+$/.test(value) ? [Number(value)] : [])]
}

const values = fc.oneof(
  // Invisible characters are removed before a text is checked.
  fc.string({ unit: character, maxLength: 70 }).map(text => text.replace(invisible, '').normalize()),
  fc.integer({ min: 37, max: 2100 }).map(length => 'x'.repeat(length)),
  fc.constantFrom('', ' ', '\0', 'a\0', 'a@b.co', 'ñ@b.co', 'a@-b.co', 'a@b', 'a b@c.co', '1.00', '1.005', '1e2', '100', '101', '-1', 'MXN', 'borrador', '2026-01-01', '2026-02-30', 'XAXX010101000', 'XAXX0101010', 'true', 'True', 'no', '0', '1', '7', '007', '4', '12345678901234567890'),
  fc.constant('6128396f-c09b-4ec6-8699-43c5f7e3b230'),
  fc.integer(),
  fc.constantFrom(0, 1, 1.5, 1e15, 1e16, -1, 2 ** 31),
  fc.constantFrom(null, true, false, [], {}, ['x'], { a: 1 })
)

for (const [name, path, caller] of [
  ['ContractBody', 'contracts/', 'director'], ['EstimateBody', 'estimates/', 'director'], ['ConvenioBody', 'convenios/', 'director'], ['ContraparteBody', 'contrapartes/', 'director'],
  ['UserBody', 'users/', 'superusuario'], ['MembershipBody', 'memberships/', 'superusuario']
] as const) {
  t.test(`${name}: forms that the document describes, or their equivalents, are accepted, and all others refused`, async (t) => {
    const { properties } = document.components.schemas[name]
    const admits = Object.fromEntries(Object.entries<object>(properties).map(([field, schema]) => [field, ajv.compile(referring(schema))]))
    const bodies = fc.record(Object.fromEntries([...Object.keys(properties), 'misspelt'].map(field => [field, values])))
    const wrong: string[] = []
    await fc.assert(fc.asyncProperty(bodies, async (body) => {
      // The misspelt field prevents any write.
      const { errors } = (await callers[caller].post(path, body)).json()
      if (errors.misspelt === undefined) wrong.push('the misspelt field was taken')
      for (const [field, isAdmitted] of Object.entries(admits)) {
        const value = body[field]
        const messages: string[] = errors[field] ?? []
        // Text may be given in other forms than the described one: with spaces around it, in lower case.
        const isTaken = isAdmitted(value) || formsOf(field, value).some(form => form !== undefined && isAdmitted(form))
        const isRight = isTaken ? !messages.some(isOfForm) : messages.length > 0 || typeof value === 'string'
        if (!isRight) wrong.push(`${field} ${JSON.stringify(value)} ${messages.join(' ')}`)
      }
    }), { numRuns: 60 })
    t.strictSame(wrong, [])
  })
}
