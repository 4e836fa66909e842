import { startScript } from '../../test/support/trial/child.ts'
import { machineCpu } from '../../test/support/trial/machine.ts'
import type { Server } from '../../test/support/trial/server.ts'

/** CPU time of a phase in cores. */
export interface Cores {
  server: number
  /** This process with its threads: all clients. */
  clients: number
  /** All other processes: PostgreSQL, the control, and other load of the machine. */
  rest: number
}

/** Runs a phase. @returns its result and the CPU time that it took */
export async function measured<T> (server: Server, run: () => Promise<T>): Promise<{ result: T, cores: Cores }> {
  const read = () => ({ server: server.usage().cpu, all: machineCpu(), at: performance.now() })
  const before = { ...read(), own: process.cpuUsage() }
  const result = await run()
  const after = read()
  const seconds = (after.at - before.at) / 1000
  const ofServer = (after.server - before.server) / seconds
  const { user, system } = process.cpuUsage(before.own)
  const clients = (user + system) / 1e6 / seconds
  const all = (after.all - before.all) / seconds
  return { result, cores: { server: ofServer, clients, rest: Math.max(0, all - ofServer - clients) } }
}

/** The cores that a phase took more than another one, by process. */
export function sharesOf (more: Cores, less: Cores): number[] {
  return (['server', 'clients', 'rest'] as const).map(name => Math.max(0, more[name] - less[name]))
}

/** Processes that use shares of cores and do nothing else. A share of more than a core is divided among several processes. */
export function spin (shares: number[]): AsyncDisposable {
  const parts = shares.flatMap((share) => {
    const count = Math.ceil(share)
    return Array.from({ length: count }, () => share / count)
  })
  const children = parts.map(share => startScript('bench/site/spin.ts', [String(share)], {}))
  return { async [Symbol.asyncDispose] () { await Promise.all(children.map(async child => await child.stop())) } }
}
