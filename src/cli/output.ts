import { styleText } from 'node:util'
import type { Command } from 'commander'

/** A mistake of the person at the keyboard: told in one line, exit code 1. */
export class CliError extends Error {}

/** The option of commands that replace a file. */
export const keepOwner = ['--keep-owner', 'replace a file of another user, who stays its owner and can read it'] as const

/** Whether the result is wanted as JSON. */
export function wantsJson (command: Command): boolean {
  return command.optsWithGlobals()['json'] === true
}

/** Prints a command's result: as JSON with `--json`, else as the lines. */
export function report (command: Command, result: object, lines: string): void {
  command.configureOutput().writeOut?.(wantsJson(command) ? `${JSON.stringify(result)}\n` : `${lines}\n`)
}

/** Tells the person at the keyboard something that is not the result. */
export function remark (command: Command, line: string): void {
  command.configureOutput().writeErr?.(`${line}\n`)
}

/** Rows below their headings, in columns; the headings are bold on a terminal with colours. */
export function table (headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, column) => rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), heading.length))
  const line = (cells: string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()
  return [styleText('bold', line(headings), { stream: process.stdout }), ...rows.map(line)].join('\n')
}
