import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { server } from '../../../../../support/template.ts'

t.test('during a company\'s bulk', { skip: server === undefined && 'the embedded database does one thing after the other' }, async (t) => {
  const { as, psql } = await build(t)
  const [director, other] = await Promise.all([as('director@demo.example'), as('director@otra.example')])
  await psql('create function slowly() returns trigger language plpgsql as $$ begin perform pg_sleep(1.5); return new; end $$')
  await psql("create trigger slowly before insert on contracts for each row when (new.folio = 'LENTO') execute function slowly()")
  const ended: string[] = []
  const note = async (name: string, request: Promise<{ statusCode: number }>) => {
    t.equal((await request).statusCode, 201, name)
    ended.push(name)
  }

  const bulk = note('bulk', director.post('contracts/bulk/', { items: [{ folio: 'LENTO' }, { folio: 'LENTO-2' }] }))
  await new Promise(resolve => setTimeout(resolve, 300))
  await Promise.all([
    bulk,
    ...Array.from({ length: 5 }, async (_, index) => await note('own', director.post('contracts/', { folio: `PROPIO-${index}` }))),
    ...Array.from({ length: 5 }, async (_, index) => await note('other', other.post('contracts/', { folio: `AJENO-${index}` })))
  ])
  t.strictSame(ended.slice(0, 6), [...Array(5).fill('other'), 'bulk'], 'other companies\' creates wait neither for it nor for its waiting requests')
})
