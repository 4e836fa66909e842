#!/usr/bin/env node
import { styleText } from 'node:util'
import '../compile-cache.ts'

// Loaded after the line above has run, and so by way of the cache.
const { CommanderError } = await import('commander')
const { obraProgram } = await import('./program.ts')

try {
  await obraProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExit(error.exitCode) : failed(error as Error)
}

function usageExit (exitCode: number): number {
  return exitCode === 0 ? 0 : 2
}

function failed ({ message }: Error): number {
  process.stderr.write(`${styleText('red', 'obra:', { stream: process.stderr })} ${message.split('\n', 1)[0]}\n`)
  return 1
}
