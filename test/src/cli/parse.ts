import { obraProgram } from '../../../src/cli/program.ts'
import type { Place } from '../../process.ts'

/** What a command printed, and what it threw. */
export interface Outcome {
  out: string
  err: string
  error: unknown
}

/** Runs an `obra` command in this process, under an environment with these variables. */
export async function parse (args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  const outcome: Outcome = { out: '', err: '', error: undefined }
  const program = obraProgram()
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ writeOut: text => { outcome.out += text }, writeErr: text => { outcome.err += text } })
  }
  const before = process.env
  process.env = { ...before, ...env }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    outcome.error = error
  } finally {
    process.env = before
  }
  return outcome
}

/** The variables that name a place's database, wherever the command runs. */
export function variables ({ env, dataDir }: Place): Record<string, string> {
  return { ...env, DATA_DIR: dataDir }
}
