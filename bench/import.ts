import { setTimeout as sleep } from 'node:timers/promises'
import { renewed, type User } from '../test/support/trial/data.ts'
import { asAdmin, fillEmbedded, fillPostgres, findPostgres, type Seeded } from '../test/support/trial/database.ts'
import { startObra } from '../test/support/trial/start-obra.ts'
import { Caller } from './caller.ts'
import type { Figures } from './figures/run.ts'
import { say } from './run.ts'
import { median } from '../test/support/trial/percentile.ts'

/** The import: bulks of new contracts into an empty database without statistics, and then the same bulks again. */
export const importing = { name: 'import', about: 'one user upserts 20 bulks of 1,000 contracts into an empty, unanalyzed database, twice' }

const bulks = 20
const perBulk = 1000
const size = { companies: 1, contracts: 0, users: 1 }

/** Creates an empty database, on PostgreSQL with autovacuum off. */
async function makeEmpty (embedded: boolean): Promise<Seeded> {
  const admin = embedded ? undefined : await findPostgres()
  if (admin === undefined) return await fillEmbedded('obra_bench_import', size)
  const { env, tokens, drop } = await fillPostgres(admin, 'obra_bench_import', size, false, async url => await asAdmin(url, `
    do $$ declare place regclass; begin
      for place in select oid from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'search'::regnamespace) loop
        execute format('alter table %s set (autovacuum_enabled = off)', place);
      end loop;
    end $$`))
  return { kind: 'PostgreSQL', size, shared: true, env: { ...env }, tokens, [Symbol.asyncDispose]: drop }
}

/**
 * Runs the import and prints, for both rounds, the median times of early and of late bulks, and their ratio.
 * @returns these figures, and the kind of the database
 * @throws {Error} if a bulk fails
 */
export async function measureImport (embedded: boolean): Promise<{ figures: Figures, kind: string }> {
  say(`${importing.name}: ${importing.about}`)
  await using database = await makeEmpty(embedded)
  await using server = await startObra(database)
  const user: User = { email: '', company: 0, headers: { authorization: `Bearer ${renewed(database.tokens[0])}` } }
  const caller = new Caller(server, user)
  const figures: Figures = {}
  for (const round of ['new', 'unchanged']) {
    const milliseconds: number[] = []
    for (let bulk = 0; bulk < bulks; bulk++) {
      const item = (index: number) => ({ external_id: `C-${bulk}-${index}`, folio: `ERP-${bulk}-${index}`, monto: '1000.00' })
      const items = Array.from({ length: perBulk }, (_, index) => item(index))
      const started = performance.now()
      const { count } = await caller.post('contracts/bulk/', { upsert: 'external_id', items })
      milliseconds.push(performance.now() - started)
      if (count !== perBulk) throw new Error(`bulk ${bulk + 1} wrote ${count} contracts`)
      await sleep(100)
    }
    const [early, late] = [median(milliseconds.slice(1, 4)), median(milliseconds.slice(-3))]
    const times = `bulks 2 to 4 ${early.toFixed(0)} ms, the last three ${late.toFixed(0)} ms, ratio ${(late / early).toFixed(2)}`
    process.stdout.write(`${database.kind}, ${importing.name}, ${round}: ${times}\n`)
    figures[`${importing.name}, ${round}`] = { 'first bulks ms': early, 'last bulks ms': late, 'last to first': late / early }
  }
  return { figures, kind: database.kind }
}
