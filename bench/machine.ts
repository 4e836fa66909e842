import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

/** What a process has used; nothing is known where there is no /proc. */
export interface Usage {
  /** Resident memory in bytes. */
  memory: number
  /** Processor time since its start, in seconds. */
  cpu: number
}

const ticksPerSecond = 100

/** What a process has used until now. */
export function usageOf (pid: number): Usage {
  try {
    const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
    // Fields after the command's closing parenthesis: utime and stime are the 12th and 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { memory, cpu: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond }
  } catch {
    return { memory: NaN, cpu: NaN }
  }
}

/** Processor time that all of the machine has used since its start, in seconds. */
export function machineCpu (): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000
}

/** What machine and runtime figures are of. */
export function environment () {
  return { node: process.version, platform: `${process.platform} ${process.arch}`, cpu: cpus()[0]?.model, cores: cpus().length, memory: totalmem() }
}
