import fc from 'fast-check'
import t from 'tap'
import { conjuncts } from '../../../../src/resources/declaration/conjuncts.ts'

t.test('parts of a condition', async (t) => {
  for (const [sql, parts] of [
    ["a = 'x and y' and exists (select from t where b and c) and d", ["a = 'x and y'", 'exists (select from t where b and c)', 'd']],
    ['case when a and b then c else d end and e', ['case when a and b then c else d end', 'e']],
    ['a and (b or c)', ['a', '(b or c)']],
    ['a and b or c', ['a and b or c']],
    ['a between 1 and 2 and b', ['a between 1 and 2 and b']],
    ['a', ['a']]
  ] as const) t.strictSame(conjuncts(sql), parts, sql)
})

t.test('the parts of parts that are joined are the parts', async () => {
  const part = fc.constantFrom('a', "b = 'and'", '(c and d)', 'case when e and f then g end', 'exists (select from h where i or j)')
  fc.assert(fc.property(fc.array(part, { minLength: 1 }), parts => JSON.stringify(conjuncts(parts.join('\n  and '))) === JSON.stringify(parts)))
})
