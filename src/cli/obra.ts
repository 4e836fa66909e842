#!/usr/bin/env node
import { constants } from 'node:os'
import { styleText } from 'node:util'
import '../server/compile-cache.ts'
import { messageOf } from '../files/errors.ts'

// Loaded after the line above, so that the compile cache is used.
const { CommanderError } = await import('commander')
const { obraProgram } = await import('./program.ts')

// The reader of the output, such as `head`, has closed it. Exits like other programs.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(128 + constants.signals.SIGPIPE)
})

try {
  await obraProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExit(error.exitCode) : failed(error)
}

function usageExit (exitCode: number): number {
  return exitCode === 0 ? 0 : 2
}

function failed (error: unknown): number {
  // Ctrl-C at a prompt.
  if (error instanceof Error && error.name === 'ExitPromptError') return 128 + constants.signals.SIGINT
  process.stderr.write(`${styleText('red', 'obra:', { stream: process.stderr })} ${messageOf(error).split('\n', 1)[0]}\n`)
  return 1
}
