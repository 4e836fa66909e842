import t from 'tap'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { computed, percentage, reference, text } from '../../../../src/resources/declaration/fields.ts'
import { Id } from '../../../../src/resources/declaration/schemas.ts'

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
