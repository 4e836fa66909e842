import { Readable } from 'node:stream'
import { obraProgram } from '../../../src/cli/program.ts'
import { asOwner, type Databases } from '../../../src/cli/with-database.ts'
import type { TestDatabase } from '../../support/helper.ts'
import type { Place } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { asOwnerOf } from './backup/lines.ts'

/** The output of a command, and its error. */
export interface Outcome {
  out: string
  err: string
  error: unknown
}

/** Standard input of a command, and an open database to use instead of the environment's. */
export interface Surroundings {
  input?: string
  databases?: Databases
}

/** Runs an `obra` command in this process, with these variables added to the environment. */
export async function parse (args: string[], env: Record<string, string> = {}, { input = '', databases }: Surroundings = {}): Promise<Outcome> {
  const outcome: Outcome = { out: '', err: '', error: undefined }
  const program = obraProgram(databases)
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: text => { outcome.out += text }, writeErr: text => { outcome.err += text } })
  }
  const before = process.env
  process.env = { ...before, ...env }
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(input)]) })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    outcome.error = error
  } finally {
    process.env = before
    Object.defineProperty(process, 'stdin', stdin)
  }
  return outcome
}

/** The variables that name a place's database, independent of the working directory. */
export function variables ({ env, dataDir }: Place): Record<string, string> {
  return { ...env, DATA_DIR: dataDir }
}

/** Lets commands with the service's role share a test's database. Opening one per command would take most of a test's time. */
export function sharing ({ database }: TestDatabase): Databases {
  return { asOwner, withDatabase: async work => await work(database) }
}

/** Like {@link sharing}, also for commands of the owner of the tables. */
export function owning (fresh: TestDatabase): Databases {
  const kind = server === undefined ? 'embedded' : 'postgres'
  return { ...sharing(fresh), asOwner: async work => await asOwnerOf(fresh, async orm => await work({ orm, kind })) }
}

/** Runs commands on a test's database. @param databases how they open it */
export function commandsOn (fresh: TestDatabase, databases = sharing(fresh)) {
  return {
    run: async (args: string[], input = ''): Promise<Outcome> => await parse(args, {}, { input, databases }),
    /** Runs a command with --json. @returns its result @throws the error of the command */
    async json (args: string[], input = ''): Promise<any> {
      const { out, error } = await parse([...args, '--json'], {}, { input, databases })
      if (error !== undefined) throw error
      return JSON.parse(out)
    }
  }
}
