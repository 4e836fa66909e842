#!/usr/bin/env node
import { constants } from 'node:os'
import { styleText } from 'node:util'
import '../server/compile-cache.ts'

// Loaded after the line above has run, and so by way of the cache.
const { CommanderError } = await import('commander')
const { obraProgram } = await import('./program.ts')

// Whoever reads the result, such as `head`, has had enough: the end that any other program has then.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(128 + constants.signals.SIGPIPE)
})

try {
  await obraProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExit(error.exitCode) : failed(error as Error)
}

function usageExit (exitCode: number): number {
  return exitCode === 0 ? 0 : 2
}

function failed ({ name, message }: Error): number {
  // Ctrl-C while a question stands.
  if (name === 'ExitPromptError') return 128 + constants.signals.SIGINT
  process.stderr.write(`${styleText('red', 'obra:', { stream: process.stderr })} ${message.split('\n', 1)[0]}\n`)
  return 1
}
