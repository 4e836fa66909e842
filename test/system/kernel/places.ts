import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../support/process.ts'
import { asAdmin, withName } from '../../support/trial/database.ts'
import { server } from './process.ts'
import { count, type AddRow, type Row } from './table.ts'

/** The reason in rows of kinds that need PostgreSQL. */
export const noPostgres = 'there is no PostgreSQL'

/** Runs `work` in a temporary folder. */
export async function inFolder<T> (work: (folder: Omit<Place, 'env'>) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'obra-torture-'))
  try {
    return await work({ dir, dataDir: join(dir, 'data') })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Runs `work` on an empty temporary database. @param admin URL of the PostgreSQL server @param name becomes part of the database's name */
export async function onEmpty<T> (admin: string, name: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const database = `obra_torture_${name}`
  await asAdmin(admin, `drop database if exists ${database} with (force)`, `create database ${database}`)
  try {
    return await work({ DATABASE_URL: withName(admin, database) })
  } finally {
    await asAdmin(admin, `drop database ${database} with (force)`)
  }
}

/** Runs `work` in a new place with the demo data. */
export type OnNew = <T>(work: (place: Place) => Promise<T>) => Promise<T>

type RowOf = (what: string, onNew: OnNew) => Promise<Row>

/** Adds a row for PostgreSQL and one for the embedded database. @param postgres URL of the PostgreSQL server; undefined if there is none */
export async function onBoth (what: string, postgres: string | undefined, addRow: AddRow, rowOf: RowOf): Promise<void> {
  const inPlace = (env: Record<string, string>): OnNew => async work =>
    await inFolder(async folder => await work(await filled({ ...folder, env })))
  const shared: OnNew = async work => await onEmpty(postgres as string, 'both', async env => await inPlace(env)(work))
  if (postgres === undefined) addRow({ what: `${what}, PostgreSQL`, why: noPostgres })
  else addRow(await rowOf(`${what}, PostgreSQL`, shared))
  addRow(await rowOf(`${what}, embedded`, inPlace({})))
}

/** Creates the database of a place, with the demo data. */
async function filled (place: Place): Promise<Place> {
  const first = await server(place)
  await first.stop()
  return place
}

/** What was found in a trial, and how much it did. */
export interface Outcome {
  faults: string[]
  counts: Record<string, number>
}

/** The row of a trial that is repeated with other seeds. Its counts are added. */
export async function repeated (what: string, times: number, seed: number, run: (seed: number) => Promise<Outcome>): Promise<Row> {
  const sums: Record<string, number> = {}
  const bad: string[] = []
  for (let number = seed; number < seed + times; number++) {
    const { faults, counts } = await run(number)
    bad.push(...faults.map(fault => `seed ${number}: ${fault}`))
    for (const [name, value] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + value
  }
  return { what, times, result: Object.entries(sums).map(([name, sum]) => `${count(sum)} ${name}`).join(', '), bad }
}
