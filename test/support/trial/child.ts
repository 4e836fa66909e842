import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../../..')
const running = new Set<ChildProcess>()

// Stops all children when the bench exits for any reason.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

/** A program in its own process. */
export interface Child {
  pid: number
  /** The last output. */
  output: () => string
  /** The exit code or the signal; never rejects. */
  ended: Promise<number | string>
  hasEnded: () => boolean
  /** Sends SIGTERM, and SIGKILL after 5 s. */
  stop: () => Promise<void>
}

/** Environment variables that children inherit. Others could configure a server by mistake. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NODE_OPTIONS']

/** Starts a script, or a program if its path starts with `./`. @param script its path in `folder` @param folder by default the root of the repository */
export function startScript (script: string, args: string[], env: Record<string, string>, folder = root): Child {
  const own = Object.fromEntries(inherited.filter(name => name in process.env).map(name => [name, process.env[name]]))
  const [command, all] = script.startsWith('./') ? [script, args] : [process.execPath, [script, ...args]]
  return start(command, all, { ...own, ...env }, folder)
}

function start (command: string, args: string[], env: NodeJS.ProcessEnv, folder: string): Child {
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => { output = (output + text).slice(-4000) })
  }
  let over = false
  const ended = (async () => {
    try {
      const [code, signal] = await once(child, 'exit') as [number | null, string | null]
      return code ?? signal ?? 'lost'
    } catch (error) {
      output += (error as Error).message
      return 'not started'
    } finally {
      over = true
      running.delete(child)
    }
  })()
  return {
    pid: child.pid ?? 0,
    output: () => output.trim(),
    ended,
    hasEnded: () => over,
    async stop () {
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(5000, undefined, { ref: false })])
      if (!over) child.kill('SIGKILL')
      await ended
    }
  }
}

/** Runs a script of this repository. @throws {Error} with its output, if it fails or takes longer than `seconds` */
export async function runScript (script: string, args: string[], env: Record<string, string>, seconds: number): Promise<void> {
  await end(startScript(script, args, env), [script, ...args], seconds)
}

/** Runs a command in a folder, with the caller's whole environment. @throws {Error} like {@link runScript} */
export async function runCommand (command: string, args: string[], folder: string, seconds: number): Promise<void> {
  await end(start(command, args, process.env, folder), [command, ...args], seconds)
}

async function end (child: Child, line: string[], seconds: number): Promise<void> {
  const outcome = await Promise.race([child.ended, sleep(seconds * 1000, 'time is up', { ref: false })])
  if (outcome === 0) return
  await child.stop()
  throw new Error(`${line.join(' ')}: ${outcome}\n${child.output()}`)
}
