#!/usr/bin/env node
import { CommanderError } from 'commander'
import { obraProgram } from './program.ts'

try {
  await obraProgram().parseAsync()
} catch (error) {
  process.exitCode = error instanceof CommanderError ? usageExit(error) : failed(error as Error)
}

function usageExit ({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : 2
}

function failed ({ message }: Error): number {
  process.stderr.write(`obra: ${message.split('\n', 1)[0]}\n`)
  return 1
}
