import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort } from './trial/server.ts'
import { passedOver } from './missing.ts'
import { newFolder, root } from './process.ts'
import { server } from './template.ts'

/** Why PgBouncer cannot be tested, or false. */
export const withoutPgBouncer: string | false = server === undefined
  ? 'the embedded database has no pooler'
  : passedOver(spawnSync('pgbouncer', ['--version']).status !== 0 && 'PgBouncer is not installed')

/**
 * Starts PgBouncer with the configuration of the documentation. It ends with the test.
 * @param target URL of the database, with the login and its password
 * @param settings replace those of the documentation, and a `query_wait_timeout` for busy machines
 * @returns the URL through PgBouncer
 */
export async function startPgBouncer (t: Test, target: string, settings: Record<string, string> = {}): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(target)
  const { dir } = newFolder(t)
  chmodSync(dir, 0o755)
  const users = join(dir, 'userlist.txt')
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  const own = { listen_port: String(await freePort()), auth_file: users, unix_socket_dir: '', pidfile: '', query_wait_timeout: '60', ...settings }
  const database = pathname.slice(1)
  let text = readFileSync(join(root, 'docs/deploy/pgbouncer.ini'), 'utf8').replace(/^obra = .*$/m, `${database} = host=${hostname} port=${port || '5432'} dbname=${database}`)
  for (const [name, value] of Object.entries(own)) text = `${text.replace(new RegExp(`^${name} = .*\n`, 'm'), '')}${name} = ${value}\n`
  const file = join(dir, 'pgbouncer.ini')
  writeFileSync(file, text)

  // PgBouncer refuses to run as root.
  const [command, args] = process.getuid?.() === 0 ? ['runuser', ['-u', 'nobody', '--', 'pgbouncer', file]] as const : ['pgbouncer', [file]] as const
  const child = spawn(command, [...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => { output += text })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  while (!await accepts(Number(own.listen_port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer does not start: ${output}`)
    await sleep(20)
  }
  const url = new URL(target)
  url.host = `127.0.0.1:${own.listen_port}`
  return url.href
}

async function accepts (port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
