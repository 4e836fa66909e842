import { readFileSync } from 'node:fs'
import { cut, mend } from './firewall.ts'
import type { Machine } from './machine.ts'

/** A way in which a leader fails, and how its machine is repaired afterwards. */
interface Way {
  begin: (leader: Machine) => Promise<void> | void
  end: (leader: Machine) => Promise<void> | void
}

/** All ways, by name, in the order in which a trial uses them. */
export const ways: Record<string, Way> = {
  'PostgreSQL killed': { begin: killPostgres(() => true), end () {} },
  'machine frozen': { begin: async leader => await leader.freeze(), end: async leader => await leader.thaw() },
  'postmaster killed': { begin: killPostgres(({ isPostmaster }) => isPostmaster), end () {} },
  'network cut': { begin: cut, end: mend },
  'machine killed': { begin: async leader => await leader.kill(), end: leader => leader.start() }
}

interface PostgresProcess {
  pid: number
  isPostmaster: boolean
}

function killPostgres (chosen: (process: PostgresProcess) => boolean): (leader: Machine) => void {
  return (leader) => {
    const killed = postgresOf(leader).filter(chosen)
    if (killed.length === 0) throw new Error(`${leader.name} runs no PostgreSQL`)
    for (const { pid } of killed) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it ended by itself
      }
    }
  }
}

/** The processes of PostgreSQL, the postmaster first. */
function postgresOf ({ processes }: Machine): PostgresProcess[] {
  return processes.flatMap((pid) => {
    const command = commandOf(pid)
    const isPostmaster = /^\S*\/postgres\0-D\0/.test(command)
    return isPostmaster || command.startsWith('postgres: ') ? [{ pid, isPostmaster }] : []
  }).sort((a, b) => Number(b.isPostmaster) - Number(a.isPostmaster))
}

function commandOf (pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
