import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { statements } from './statements.ts'

/** Every second item is refused, in each bulk for another reason. */
const refusals: Record<string, (index: number) => object> = {
  'taken before': index => ({ folio: index % 2 === 0 ? `A-${index}` : 'TAKEN' }),
  'taken by another item': index => ({ folio: `B-${index - index % 2}` }),
  'without a parent': index => ({ folio: `C-${index}`, ...index % 2 === 1 && { parent: 999_999 } }),
  'invalid by themselves': index => ({ folio: `D-${index}`, ...index % 2 === 1 && { monto: 'x' } })
}

t.test('the number of statements of a partial bulk does not depend on the number of refused items', async (t) => {
  const { as } = await build(t, { RATE_LIMIT: 'off' })
  const director = await as('director@demo.example')
  await director.post('contracts/', { folio: 'TAKEN' })
  for (const [name, item] of Object.entries(refusals)) {
    statements.count = 0
    const { results } = (await director.post('contracts/bulk/', { partial: true, items: Array.from({ length: 100 }, (_, index) => item(index)) })).json()
    t.ok(results.every((row: { errors?: object }, index: number) => (row.errors === undefined) === (index % 2 === 0)), name)
    // Statements of background work can be among them.
    t.ok(statements.count < 40, `${statements.count} statements for 50 items ${name}`)
  }
})
