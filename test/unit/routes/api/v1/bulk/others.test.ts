import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { server } from '../../../../../support/template.ts'
import { until } from '../../../../../support/until.ts'

t.test('during a company\'s bulk', { skip: server === undefined && 'the embedded database does one thing after the other' }, async (t) => {
  const { as, psql } = await build(t)
  const [director, other] = await Promise.all([as('director@demo.example'), as('director@otra.example')])
  await psql('create table gate ()')
  await psql('grant select on gate to obra_app')
  await psql('create function at_gate() returns trigger language plpgsql as $$ begin while not exists (select from gate) loop perform pg_sleep(0.02); end loop; return new; end $$')
  await psql("create trigger at_gate before insert on contracts for each row when (new.folio = 'LENTO') execute function at_gate()")
  const ended: string[] = []
  const note = async (name: string, request: Promise<{ statusCode: number }>) => {
    t.equal((await request).statusCode, 201, name)
    ended.push(name)
  }

  const bulk = note('bulk', director.post('contracts/bulk/', { items: [{ folio: 'LENTO' }, { folio: 'LENTO-2' }] }))
  await until(async () => (await psql("select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'")).length === 1)
  const own = Array.from({ length: 5 }, async (_, index) => await note('own', director.post('contracts/', { folio: `PROPIO-${index}` })))
  await Promise.all(Array.from({ length: 5 }, async (_, index) => await note('other', other.post('contracts/', { folio: `AJENO-${index}` }))))
  t.strictSame(ended, Array(5).fill('other'), 'other companies\' creates wait neither for it nor for its waiting requests')
  await psql('insert into gate default values')
  await Promise.all([bulk, ...own])
})
