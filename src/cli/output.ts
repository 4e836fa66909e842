import { styleText } from 'node:util'
import type { Command } from 'commander'

/** A user error: printed as one line, exit code 1. If the arguments alone are wrong, use `error` of the command, exit code 2. */
export class CliError extends Error {}

/** The option of commands that replace a file. */
export const keepOwner = ['--keep-owner', 'replace a file of another user, who stays its owner and can read it'] as const

/** Whether `--json` is set. */
function wantsJson (command: Command): boolean {
  return command.optsWithGlobals()['json'] === true
}

/** Prints the result of a command: as JSON with `--json`, otherwise the lines. */
export function report (command: Command, result: object, lines: string): void {
  command.configureOutput().writeOut?.(wantsJson(command) ? `${JSON.stringify(result)}\n` : `${lines}\n`)
}

/** Prints a remark to standard error. */
export function remark (command: Command, line: string): void {
  command.configureOutput().writeErr?.(`${line}\n`)
}

/** Formats rows in columns below headings, which are bold on a terminal with colours. */
export function table (headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) => rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), heading.length))
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()
  return [styleText('bold', line(headings), { stream: process.stdout }), ...rows.map(line)].join('\n')
}
