import { parseArgs, type ParseArgsConfig } from 'node:util'
import { whole } from '../test/support/trial/options.ts'

/**
 * Reads a command line of numbers and switches, and runs the bench with them, or prints the help.
 * @param numbers default and maximum of each option that takes a number
 * @param switches options that are off by default
 * @throws {Error} if an option is invalid
 */
export async function withFlags<N extends string, S extends string> (
  help: string,
  numbers: Record<N, [byDefault: number, most: number]>,
  switches: S[],
  run: (flags: Record<N, number> & Record<S, boolean>) => Promise<void>
): Promise<void> {
  const bounds = Object.entries<[number, number]>(numbers)
  const options: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } }
  for (const [name, [byDefault]] of bounds) options[name] = { type: 'string', default: String(byDefault) }
  for (const name of switches) options[name] = { type: 'boolean', default: false }
  const { values } = parseArgs({ options })
  if (values['help'] === true) {
    process.stdout.write(help)
    return
  }
  const read = Object.fromEntries(bounds.map(([name, [, most]]) => [name, whole(name, String(values[name]), most)]))
  await run({ ...values, ...read } as Record<N, number> & Record<S, boolean>)
}
