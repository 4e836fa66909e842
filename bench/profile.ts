import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The parts of a V8 CPU profile that are used here. */
export interface CpuProfile {
  nodes: Array<{ id: number, callFrame: { functionName: string, url: string, lineNumber: number } }>
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

/** Microseconds between two samples. */
const interval = 200

/**
 * Connects to the inspector of a process that was started with `--inspect`.
 * @param inspector its address, as `http://127.0.0.1:9229`
 * @returns a function that calls a method of the protocol
 */
export async function inspect (inspector: string) {
  const [{ webSocketDebuggerUrl: url }] = await (await fetch(`${inspector}/json/list`)).json() as [{ webSocketDebuggerUrl: string }]
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, (result: any) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(data as string)
    waiting.get(id)?.(result)
  })
  let sent = 0
  const ask = async (method: string, params = {}) => await new Promise<any>((resolve) => {
    waiting.set(++sent, resolve)
    socket.send(JSON.stringify({ id: sent, method, params }))
  })
  return { ask, [Symbol.dispose]: () => socket.close() }
}

/** Profiles a process while `work` runs. @param inspector as for {@link inspect} */
export async function profiling<T> (inspector: string, work: () => Promise<T>): Promise<{ profile: CpuProfile, result: T }> {
  using inspected = await inspect(inspector)
  const { ask } = inspected
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval })
  await ask('Profiler.start')
  const result = await work()
  const { profile } = await ask('Profiler.stop') as { profile: CpuProfile }
  return { profile, result }
}

/** Writes a profile that browsers' developer tools, editors and speedscope open as a flame graph. @returns the path of the file */
export function writeProfile (name: string, profile: CpuProfile): string {
  const folder = join(import.meta.dirname, 'results', 'profiles')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.cpuprofile`)
  writeFileSync(file, JSON.stringify(profile))
  return relative(process.cwd(), file)
}

/**
 * CPU time of a request in microseconds, by package, file of the service, or part of the runtime, in descending order. Excludes
 * waiting and `(idle)`.
 */
export function partsOf ({ nodes, samples, timeDeltas }: CpuProfile, requests: number): Array<[part: string, microseconds: number]> {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]))
  const spent = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const part = parts.get(id) as string
    spent.set(part, (spent.get(part) ?? 0) + timeDeltas[index] / requests)
  }
  spent.delete('(idle)')
  return [...spent].sort(([, one], [, other]) => other - one)
}

function partOf ({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName.startsWith('(') ? functionName : `native ${functionName}`
  if (url.startsWith('node:')) return url
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage !== undefined) return inPackage
  return relative(join(import.meta.dirname, '..'), new URL(url).pathname)
}
