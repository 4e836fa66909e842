import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { clientScripts, writeFiles } from '../../src/cli/emit-client.ts'
import { freePort } from '../support/trial/server.ts'
import { build, secret, type TestServer } from '../support/helper.ts'
import { demoPlace, emptyPlace, environment, newFolder, root, withoutTap, type Place } from '../support/process.ts'
import { onServer, server } from '../support/template.ts'
import { elsewhere, elsewhereScripts } from './elsewhere.ts'
import type { Block, Page } from './pages.ts'

/** Output of one command or one block. */
export interface Printed {
  block: Block
  /** The answer in the comment at the end of the command; undefined for the output of a block. */
  comment?: string
  output: string
}

/** The result of running a page. */
export interface Played {
  code: number | null
  stderr: string
  /** The last block that was started. */
  last: string
  printed: Printed[]
  /** All statuses of 400 and more that the server sent. */
  refusals: Set<number>
}

/** The PostgreSQL address in the pages, of the owner. The servers of some pages use another login. */
const namedDatabase = 'postgres://obra:password@127.0.0.1:5432/obra'
const namedLogin = 'obra_server'
const namedServer = `postgres://${namedLogin}:password@127.0.0.1:5432/obra`

/** Time limit of a page in ms. */
const patience = 300_000

/** The database and the server that several pages share. */
export interface Shared extends Pick<TestServer, 'psql'> {
  env: Place['env']
  dataDir: string
  port: string
  /** Statuses of 400 and more that the server has sent since the start of the page. */
  refusals: Set<number>
}

/** Opens a database with the demo data and a server on it, which pages share. */
export async function share (t: Test): Promise<Shared> {
  const { dataDir } = newFolder(t)
  const refusals = new Set<number>()
  const { app, env, psql } = await build(t, { DATA_DIR: dataDir })
  return { env, psql, dataDir, port: await listen(app, refusals), refusals }
}

/** @param refusals gets the statuses of 400 and more that the server sends @returns the port */
async function listen (app: FastifyInstance, refusals: Set<number>): Promise<string> {
  app.server.on('request', (_request, response) => response.on('finish', () => { if (response.statusCode >= 400) refusals.add(response.statusCode) }))
  return new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port
}

/**
 * Runs the blocks of a page one after the other in one shell that ends at the first failure, as a reader would who has a running server.
 * @param shared the database and the server to use, instead of new ones
 */
export async function play (t: Test, page: Page, shared?: Shared): Promise<Played> {
  const blocks = page.blocks.filter(({ language }) => language === 'sh' || !(page.name in elsewhereScripts))
  const script = blocks.map(runnable).join('\n')
  const { place, refusals, names } = shared === undefined ? await stage(t, page, script) : await stageOn(t, shared, script)
  for (const { file, text } of blocks) {
    if (file !== undefined) writeFileSync(join(place.dir, file), names.here(text))
  }

  const marked = blocks.map((block, index) => withMarks(block, index)).join('\n')
  const child = spawn(...withoutTap('sh', ['-eu', '-c', names.here(marked)]), {
    cwd: place.dir,
    detached: true, // a group of its own: what it leaves running ends with it
    env: environment({ JWT_SECRET: secret, ...place.env, DATA_DIR: place.dataDir, PORT: names.here('PORT=3000').slice(5), PATH: `${join(place.dir, '.bin')}:${join(root, 'node_modules/.bin')}:${process.env['PATH']}` }),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const group = -(child.pid as number)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => { stdout += text })
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text })
  const closed = once(child, 'close')
  const overdue = setTimeout(() => process.kill(group, 'SIGKILL'), patience)
  const [code] = await once(child, 'exit')
  end(group)
  await closed
  clearTimeout(overdue)
  return { code, stderr, refusals, ...byMark(blocks, names.there(stdout)) }
}

function end (group: number): void {
  try {
    process.kill(group, 'SIGTERM')
  } catch {} // no process was left
}

/** The folder, the database and, unless the page starts one, the server for a page's commands. */
async function stage (t: Test, page: Page, script: string): Promise<{ place: Place, refusals: Set<number>, names: Names }> {
  const refusals = new Set<number>()
  const startsServers = /\b(npm|obra) start\b/.test(script)
  if (script.includes('127.0.0.1:3000') && !startsServers && !page.emptyDatabase) {
    const { app, env } = await build(t)
    const port = await listen(app, refusals)
    return { place: furnished({ ...newFolder(t), env }), refusals, names: await namesOf(script, env, { 3000: port }) }
  }
  const needsDatabase = startsServers || /\bobra\b|DATABASE_URL/.test(script)
  const place = !needsDatabase ? newFolder(t) : page.emptyDatabase ? await emptyPlace(t) : await demoPlace(t)
  const login = server !== undefined && script.includes(namedLogin) ? await newLogin(t) : namedLogin
  return { place: furnished(place), refusals, names: await namesOf(script, place.env, {}, login) }
}

/** A new folder for a page's commands on the shared database and server. */
async function stageOn (t: Test, { env, dataDir, port, refusals }: Shared, script: string): Promise<{ place: Place, refusals: Set<number>, names: Names }> {
  refusals.clear()
  return { place: furnished({ ...newFolder(t), dataDir, env }), refusals, names: await namesOf(script, env, { 3000: port }) }
}

/** Makes a folder look like the project, without its data, with the client installed, and `npx` finding its commands without a download. */
function furnished (place: Place): Place {
  for (const name of readdirSync(root)) {
    if (!name.startsWith('.') && name !== 'data' && name !== 'node_modules') symlinkSync(join(root, name), join(place.dir, name))
  }
  const packages = join(place.dir, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules', name), join(packages, name))
  cpSync(join(root, 'src/client/package.json'), join(packages, 'obra-client/package.json'))
  writeFiles(join(packages, 'obra-client'), clientScripts())
  const bin = join(place.dir, '.bin')
  symlinkSync(join(root, 'test/docs/bin'), bin)
  chmodSync(join(bin, 'npx'), 0o755)
  return place
}

/** Maps values in the pages that differ in each run to actual ones, and back. */
interface Names {
  here: (text: string) => string
  there: (text: string) => string
}

/** The ports that a page names, each mapped to a free one, and its database. */
async function namesOf (script: string, env: Place['env'], known: Record<string, string> = {}, login = namedLogin): Promise<Names> {
  const named = new Set(['3000', ...[...script.matchAll(/(?:127\.0\.0\.1:|PORT=)(\d{4,5})\b/g)].map(([, port]) => port)])
  named.delete('5432')
  const ports = await Promise.all([...named].map(async name => [name, known[name] ?? String(await freePort())] as const))
  const database = env['DATABASE_URL'] ?? namedDatabase
  const ofServer = Object.assign(new URL(database), { username: login, password: 'password' }).href
  return {
    here: text => ports.reduce((text, [name, port]) => text.replaceAll(new RegExp(`(127\\.0\\.0\\.1:|PORT=)${name}\\b`, 'g'), `$1${port}`), text.replaceAll(namedServer, ofServer).replaceAll(namedDatabase, database).replaceAll(namedLogin, login)),
    there: text => ports.reduce((text, [name, port]) => text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), name), text.replaceAll(ofServer, namedServer).replaceAll(database, namedDatabase).replaceAll(login, namedLogin))
  }
}

/** Creates the login that the pages create in SQL. */
async function newLogin (t: Test): Promise<string> {
  const login = `obra_test_login_${randomBytes(4).toString('hex')}`
  await onServer(async client => await client.query(`create role ${login} login password 'password'`))
  t.teardown(async () => await onServer(async client => await client.query(`drop owned by ${login}; drop role ${login}`)))
  return login
}

/** The commands of a block, except commands that run elsewhere. */
function runnable ({ at, language, file, text }: Block): string {
  if (language !== 'sh') return file === undefined ? text : ''
  return text.split('\n').map((line) => {
    const command = line.replace(/\s+# .*$/, '').trim()
    if (command in elsewhere) return ':'
    if (/\bnpm (ci|install|i|update)\b/.test(command)) throw new Error(`${at} would change the packages that the tests run with: ${command}`)
    return /\b(npm|obra) start\b/.test(command) ? inBackground(command.replace(/\s*&$/, '')) : line
  }).join('\n')
}

/** Runs a server command in the background, until another command takes its port or the page ends. A reader would use another terminal. */
function inBackground (command: string): string {
  const port = /\bPORT=(\d+)/.exec(command)?.[1] ?? '3000'
  return `if [ -n "\${server_${port}-}" ]; then kill "$server_${port}"; wait "$server_${port}" || :; fi; ` +
    `${command} > .server-${port} 2>&1 & server_${port}=$!; tries=0; ` +
    `until curl -so .answer http://127.0.0.1:${port}/; do tries=$((tries + 1)); if [ $tries = 1000 ]; then cat .server-${port} >&2; exit 1; fi; sleep 0.1; done`
}

/** Prints a marker before each block, and after each command with its answer in a comment. */
function withMarks (block: Block, index: number): string {
  const mark = (line: number | '') => `printf '\\n\\036%s\\n' '${index}.${line}'`
  if (block.file !== undefined) return ''
  if (block.language !== 'sh') return `${mark('')}\nnode --input-type=module${block.language === 'ts' ? '-typescript' : ''} <<'END OF BLOCK'\n${block.text}END OF BLOCK`
  const lines = runnable(block).split('\n').map((line, number) => answerInComment(line) === undefined ? line : `${line}\n${mark(number)}`)
  return [mark(''), ...lines].join('\n')
}

function answerInComment (line: string): string | undefined {
  return /\s# → (.+)$/.exec(line)?.[1]
}

function byMark (blocks: Block[], stdout: string): { last: string, printed: Printed[] } {
  const printed: Printed[] = []
  let pending = ''
  let current: Printed | undefined
  for (const part of stdout.split('\n\x1e').slice(1)) {
    const [, index, line, output = ''] = /^(\d+)\.(\d*)\n([\s\S]*)$/.exec(part) as RegExpExecArray
    const block = blocks[Number(index)]
    if (line === '') {
      current = { block, output }
      printed.push(current)
    } else {
      printed.push({ block, comment: answerInComment(block.text.split('\n')[Number(line)]), output: pending })
      if (current !== undefined) current.output += output
    }
    pending = output
  }
  return { last: printed.at(-1)?.block.at ?? 'the first line', printed }
}
