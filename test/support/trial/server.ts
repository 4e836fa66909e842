import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startScript } from './child.ts'
import { usageOf, type Usage } from './machine.ts'

/** A server under load in its own process, on loopback. */
export interface Server extends AsyncDisposable {
  /** Scheme, host and port. */
  url: string
  /** The resources used so far. */
  usage: () => Usage
  /** Address of its inspector, if it has one. */
  inspector?: string
  /** The last output. */
  output: () => string
}

const patience = 60_000

/**
 * Starts a script that listens on PORT, by default in production, and waits until it answers.
 * @param folder folder and working directory of the script; by default the root of the repository
 * @throws {Error} with the output, if the script does not answer
 */
export async function startServer (script: string, env: Record<string, string>, args: string[] = [], folder?: string): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = startScript(script, args, { NODE_ENV: 'production', ...env, HOST: '127.0.0.1', PORT: String(port) }, folder)
  const late = performance.now() + patience
  while (!await answers(url)) {
    if (child.hasEnded() || performance.now() > late) {
      await child.stop()
      throw new Error(`${script} does not answer\n${child.output()}`)
    }
    await sleep(50)
  }
  return { url, output: child.output, usage: () => usageOf(child.pid), [Symbol.asyncDispose]: child.stop }
}

/** A free port on loopback below 32768. Linux takes the ports of outgoing connections from 32768 on. */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const server = createServer()
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening')
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    } finally {
      await new Promise(resolve => server.close(resolve))
    }
  }
}

async function answers (url: string): Promise<boolean> {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(5000) })).arrayBuffer()
    return true
  } catch {
    return false
  }
}
