import t from 'tap'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { money } from '../../../../src/resources/declaration/decimals.ts'
import { choice, computed, percentage, reference, text } from '../../../../src/resources/declaration/fields.ts'
import { Id } from '../../../../src/resources/declaration/schemas.ts'
import { totalsOf } from '../../../../src/resources/declaration/totals.ts'

t.test('a field without a query schema cannot be a filter', async (t) => {
  t.throws(() => percentage().filterable('of that percentage'), { message: 'a filter requires a query schema: of that percentage' })
  t.throws(() => computed(Id, 't.id').filterable('of that id'), { message: 'a filter requires a query schema: of that id' })
  t.equal(text(5).filterable('of that text').spec.filters?.length, 1)
})

t.test('nullable() and unique() must come before filterable()', async (t) => {
  t.throws(() => reference(contrapartes).filterable('id').nullable(), { message: 'nullable() must come before filterable()' })
  t.throws(() => text(5).filterable('of that text').unique(), { message: 'unique() must come before filterable()' })
  t.match(reference(contrapartes).nullable().filterable('id').spec.filters, [{ schema: { pattern: '^(null|[0-9]+)$' } }])
})

t.test('within() is for references by id', async (t) => {
  t.throws(() => text(5).within('contract', 'otherContract'), { message: 'within() is for references by id' })
  t.throws(() => reference(contrapartes, 'nombre').within('contract', 'otherContract'), { message: 'within() is for references by id' })
})

t.test('signedInAnswers() accepts negative numbers without describing them', async (t) => {
  const { shown, input } = money().signedInAnswers().spec
  t.match(shown, { pattern: '^-?\\d+\\.\\d{2}$' })
  t.match(input, { decimal: { signed: false, echoed: true } })
  t.throws(() => text(5).signedInAnswers(), { message: 'only decimals can be signed' })
})

t.test('filterableThrough() takes the filters of the referred record, each with a description', async (t) => {
  const descriptions = { contraparte: 'its counterparty', contraparte_nombre: 'the name of it' }
  const { filters = [] } = reference(contracts).filterableThrough('contraparte', 'c', descriptions).spec
  t.strictSame(filters.map(({ name, schema: { description } }) => [name, description]), Object.entries(descriptions))
  t.match(filters[0]?.filter('t.contract_id')('7'), { sql: 'c.contraparte_id = $', value: 7, joins: true, narrow: true })
  t.throws(() => reference(contracts).filterableThrough('contraparte', 'c', {}), { message: 'filterableThrough(): contraparte has no description' })
  t.throws(() => reference('self').filterableThrough('contraparte', 'c', descriptions), { message: 'filterableThrough() is for references to another resource' })
  t.throws(() => text(5).filterableByName('nombre', 'the name'), { message: 'filterableByName() is for references by name' })
})

t.test('totals name fields, and the currency of the record or of one that it refers to', async (t) => {
  const fields = { contract: reference(contracts), parent: reference('self'), monto: money(), moneda: choice(['MXN', 'USD']) }
  t.match(totalsOf(fields, { of: ['monto'], currency: 'moneda' }), { currency: 't.moneda', amounts: { monto: 't.monto' } })
  t.strictSame(Object.keys(totalsOf(fields, { of: ['monto'], currency: 'contract.moneda' }).schema['properties']), ['EUR', 'MXN', 'USD'])
  // @ts-expect-error No field has this name.
  t.throws(() => totalsOf(fields, { of: ['neto'], currency: 'moneda' }), { message: 'totals: there is no field neto' })
  // @ts-expect-error Contracts have no such field.
  t.throws(() => totalsOf(fields, { of: ['monto'], currency: 'contract.divisa' }), { message: 'totals: there is no field divisa' })
  t.throws(() => totalsOf(fields, { of: ['monto'], currency: 'parent.moneda' }), { message: 'parent.moneda: parent does not refer to another resource' })
})
