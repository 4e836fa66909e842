import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/process.ts'

/** Where a user sends requests. */
export interface Session {
  url: string
  access: string
}

/** Starts a server with new demo data on a free port, and ends it afterwards. */
export async function withDemoServer<T> (use: (session: (email: string) => Promise<Session>) => Promise<T>): Promise<T> {
  const data = await mkdtemp(join(tmpdir(), 'obra-generators-data-'))
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', DATA_DIR: data, DATABASE_URL: 'embedded', NODE_ENV: 'development' }
  const server = spawn(process.execPath, [join(root, 'src/server.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await addressOf(server.stdout)
    return await use(async (email) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1/api-token-auth/`, { method: 'POST', headers, body: JSON.stringify({ email, password: 'demo-obra-1' }) })
      const { access } = await answer.json() as { access: string }
      return { url, access }
    })
  } finally {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    await rm(data, { recursive: true, force: true })
  }
}

async function addressOf (output: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of output) {
    text += chunk.toString()
    const [, url] = /listening on (http:\/\/[\d.:]+)/.exec(text) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`the server has not started: ${text}`)
}
