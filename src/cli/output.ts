import type { Command } from 'commander'

/** A mistake of the person at the keyboard: told in one line, exit code 1. */
export class CliError extends Error {}

/** Prints a command's result: as JSON with `--json`, else as the line. */
export function report (command: Command, result: object, line: string): void {
  const { writeOut } = command.configureOutput()
  writeOut?.(command.optsWithGlobals()['json'] === true ? `${JSON.stringify(result)}\n` : `${line}\n`)
}
