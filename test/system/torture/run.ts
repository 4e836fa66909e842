import { findPostgres, versionOf } from '../../support/trial/database.ts'
import { describeMachine, environment } from '../../support/trial/machine.ts'
import { kinds, type Kind, type RunOptions } from './kinds/kinds.ts'
import { help, readOptions, type Options } from './kinds/options.ts'
import { Table, type AddRow } from '../kernel/table.ts'

/** Runs the selected kinds. @returns whether all is well */
async function torture (options: Options): Promise<boolean> {
  const postgres = await findPostgres()
  const database = postgres === undefined ? 'no PostgreSQL' : `PostgreSQL ${await versionOf(postgres)}`
  const { command, commit, ...machine } = environment()
  print(`${new Date().toISOString().slice(0, 16)}Z, commit ${commit ?? 'unknown'}, ${describeMachine(machine)}, ${database}, seed ${options.seed}\n${command}\n\n`)

  const table = new Table(print)
  table.begin()
  const chosen = kinds.filter(({ name }) => options.only?.includes(name) ?? true)
  for (const kind of chosen) await run(kind, { ...options, postgres }, table.addRow)
  return table.end(chosen.map(({ name }) => name), performance.now() / 1000)
}

/** Runs a kind. If it throws, it gets a row with the error, and the next one runs. */
async function run ({ name, run }: Kind, options: RunOptions, addRow: AddRow): Promise<void> {
  try {
    await run(options, addRow)
  } catch (error) {
    addRow({ what: name, times: 0, result: 'failed with an error', bad: [(error as Error).stack ?? String(error)] })
  }
}

function print (text: string): void {
  process.stdout.write(text)
}

try {
  const options = readOptions(kinds.map(({ name }) => name))
  if (options === undefined) print(help(kinds))
  else if (!await torture(options)) process.exitCode = 1
} catch (error) {
  process.stderr.write(`torture: failed: ${(error as Error).message}\n`)
  process.exitCode = 1
}
