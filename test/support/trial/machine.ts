import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, relative } from 'node:path'

/** Bytes in a megabyte. */
export const megabyte = 2 ** 20

/** Resources that a process has used; NaN without /proc. */
export interface Usage {
  /** Resident memory in bytes. */
  memory: number
  /** CPU time since its start, in seconds. */
  cpu: number
}

/** The resources used by a process so far. */
export function usageOf (pid: number): Usage {
  try {
    const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
    return { memory, cpu: cpuOf(pid, false) }
  } catch {
    return { memory: NaN, cpu: NaN }
  }
}

/** CPU time of a process in seconds. @param withEnded whether to add that of its children that have ended @throws {Error} if it has ended */
export function cpuOf (pid: number, withEnded: boolean): number {
  // After the command's closing parenthesis, the fields 12 to 15 are utime, stime, cutime and cstime, in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** CPU time used by the whole machine since its start, in seconds. */
export function machineCpu (): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000
}

/** Environment of a run: machine, runtime, commit and command. */
export interface Environment {
  node: string
  platform: string
  cpu?: string
  cores: number
  /** Memory in bytes. */
  memory: number
  /** Ends with `-dirty` if files have changed; undefined outside a repository. */
  commit?: string
  command: string
}

/** The environment of this process. */
export function environment (): Environment {
  const [, script = '', ...args] = process.argv
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory: totalmem(),
    commit: commit(),
    command: ['node', relative(root, script), ...args].join(' ')
  }
}

/** A short description of the machine and the runtime. */
export function describeMachine ({ cores, cpu, memory, platform, node }: Pick<Environment, 'cores' | 'cpu' | 'memory' | 'platform' | 'node'>): string {
  return `${cores} cores${cpu === undefined ? '' : `, ${cpu.trim()}`}, ${Math.round(memory / 2 ** 30)} GiB, ${platform}, Node ${node}`
}

const root = join(import.meta.dirname, '../../..')

function commit (): string | undefined {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}
