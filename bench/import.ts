import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { post } from '../src/trial/calls.ts'
import { renewed, type User } from '../src/trial/data.ts'
import { asAdmin, fill, findPostgres, readTokens, signingKey, withName, type Seeded } from '../src/trial/database.ts'
import { jsonOf, send } from '../src/trial/http.ts'
import { say } from './run.ts'
import { startObra } from '../src/trial/start-obra.ts'

/** The import: bulks of new contracts into an empty database without statistics, and then the same bulks again. */
export const importing = { name: 'import', about: 'one user upserts 20 bulks of 1,000 contracts into an empty, unanalyzed database, twice' }

const bulks = 20
const perBulk = 1000
const size = { companies: 1, contracts: 0, users: 1 }

/** Creates an empty database, on PostgreSQL with autovacuum off. */
async function makeEmpty (embedded: boolean): Promise<Seeded> {
  const folder = mkdtempSync(join(tmpdir(), 'obra-bench-import-'))
  const tokensFile = join(folder, 'tokens')
  const admin = embedded ? undefined : await findPostgres()
  const env: Record<string, string> = admin === undefined ? { DATA_DIR: join(folder, 'data'), JWT_SECRET: signingKey } : { DATABASE_URL: withName(admin, 'obra_bench_import'), JWT_SECRET: signingKey }
  const drop = 'drop database if exists obra_bench_import with (force)'
  const clean = async () => {
    if (admin !== undefined) await asAdmin(admin, drop)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (admin !== undefined) await asAdmin(admin, drop, 'create database obra_bench_import')
    await fill(env, size, tokensFile)
    if (env['DATABASE_URL'] !== undefined) {
      await asAdmin(env['DATABASE_URL'], `
        do $$ declare place regclass; begin
          for place in select oid from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'search'::regnamespace) loop
            execute format('alter table %s set (autovacuum_enabled = off)', place);
          end loop;
        end $$`)
    }
    return { kind: admin === undefined ? 'embedded (PGlite)' : 'PostgreSQL', size, shared: admin !== undefined, env, tokens: readTokens(tokensFile), [Symbol.asyncDispose]: clean }
  } catch (error) {
    await clean()
    throw error
  }
}

/** Runs the import and prints, for both rounds, the median times of early and of late bulks, and their ratio. @throws {Error} if a bulk fails */
export async function measureImport (embedded: boolean): Promise<void> {
  say(`${importing.name}: ${importing.about}`)
  await using database = await makeEmpty(embedded)
  await using server = await startObra(database)
  const user: User = { email: '', company: 0, headers: { authorization: `Bearer ${renewed(database.tokens[0] as string)}` } }
  for (const round of ['new', 'unchanged']) {
    const milliseconds: number[] = []
    for (let bulk = 0; bulk < bulks; bulk++) {
      const items = Array.from({ length: perBulk }, (_, index) => ({ external_id: `C-${bulk}-${index}`, folio: `ERP-${bulk}-${index}`, monto: '1000.00' }))
      const started = performance.now()
      const answer = await send(server.url, post(user, '/api/v1/contracts/bulk/', { upsert: 'external_id', items }))
      milliseconds.push(performance.now() - started)
      if (answer.status !== 201 || jsonOf(answer).count !== perBulk) throw new Error(`bulk ${bulk + 1} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
      await sleep(100)
    }
    const [early, late] = [median(milliseconds.slice(1, 4)), median(milliseconds.slice(-3))]
    process.stdout.write(`${database.kind}, ${importing.name}, ${round}: bulks 2 to 4 ${early.toFixed(0)} ms, the last three ${late.toFixed(0)} ms, ratio ${(late / early).toFixed(2)}\n`)
  }
}

function median (numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
}
