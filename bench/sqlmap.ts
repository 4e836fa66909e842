import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPassword } from '../src/demo/data.ts'
import { describeService } from '../src/openapi/service.ts'
import { tokensOf } from '../test/over-http.ts'
import type { Attacked } from './attacks.ts'

/** Whether `sqlmap` is installed (on Debian: `apt-get install sqlmap`). */
export function mayRunSqlmap (): boolean {
  try {
    execFileSync('sqlmap', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

interface Target {
  what: string
  /** The request as it goes over the wire, with `*` behind each value that is to be tried. */
  request: string
  places: number
}

const patience = 180_000

/**
 * Has sqlmap try every parameter, field and header of every operation of a server that listens: errors, unions, booleans and stacked statements, told that it is PostgreSQL.
 * @param options what sqlmap is given besides
 */
export async function sqlmap (origin: string, options: string[] = ['--level', '1', '--risk', '1']): Promise<Attacked> {
  const tokens = Object.fromEntries(await Promise.all(['director', 'superusuario'].map(async name => [name, (await tokensOf(origin, `${name}@demo.example`, demoPassword)).access] as const)))
  const targets = targetsOf(await describeService(), new URL(origin).host, tokens)
  const dir = mkdtempSync(join(tmpdir(), 'obra-sqlmap-'))
  const found: string[] = []
  try {
    const queue = targets.entries()
    await Promise.all([1, 2, 3, 4].map(async () => {
      for (const [index, { what, request }] of queue) {
        const file = join(dir, `${index}.txt`)
        writeFileSync(file, request)
        const said = await run(['-r', file, '--batch', '--dbms', 'PostgreSQL', '--technique', 'BEUS', '--output-dir', join(dir, String(index)), '--ignore-code', '*', '--disable-coloring', '--flush-session', '--skip-waf', '--threads', '2', '--timeout', '10', '--retries', '1', ...options])
        if (/is vulnerable|identified the following injection point/.test(said)) found.push(`${what}: ${said.slice(-3000)}`)
        else if (!/do not appear to be injectable|does not seem to be injectable/.test(said)) found.push(`${what}: not tried: ${said.slice(-800)}`)
        for (const [, status] of said.matchAll(/\b(5\d\d) \([A-Z][A-Za-z ]+\) - \d+ times/g)) found.push(`${what}: answered with ${status as string}`)
      }
    }))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return { what: 'sqlmap, on every parameter, field and header', times: targets.reduce((sum, { places }) => sum + places, 0), found }
}

async function run (args: string[]): Promise<string> {
  return await new Promise((resolve) => {
    const child = execFile('sqlmap', args, { timeout: patience, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => resolve(`${stdout}${error?.killed === true ? '\nended, for it took too long' : ''}`))
    child.stdin?.end() // else it waits there for a list of targets
  })
}

function targetsOf (document: any, host: string, tokens: Record<string, string>): Target[] {
  const inside = (value: any): any => value?.$ref === undefined ? value : value.$ref.slice(2).split('/').reduce((from: any, part: string) => from[part], document)
  const sample = (schema: any): unknown => {
    const given = inside(schema)
    return given?.examples?.[0] ?? given?.enum?.[0] ?? { integer: 1, boolean: true, array: [], object: {} }[[given?.type].flat()[0] as string] ?? 'texto'
  }
  const targets: Target[] = [] // small pages: sqlmap compares them word by word
  for (const [path, item] of Object.entries<any>(document.paths)) {
    if (!path.startsWith('/api/v1/') || path === '/api/v1/api-token-auth/') continue // log-ins are limited: a server for benches alone answers thousands
    for (const [method, operation] of Object.entries<any>(item)) {
      const parameters: any[] = (operation.parameters ?? []).map(inside)
      const query = parameters.filter(({ in: where }) => where === 'query').map(({ name, schema }) => `${name}=${name === 'page_size' ? 1 : encodeURIComponent(String(sample(schema)))}*`)
      // What every operation reads in the same way is tried on one.
      const headers = parameters.filter(({ in: where, name }) => where === 'header' && (targets.length === 0 || !(name === 'Accept-Language' || name === 'X-Request-Id'))).map(({ name }) => `${name}: ${{ 'If-Match': '"1.1.x.1"', 'If-None-Match': '"1.1.x"', 'Accept-Language': 'es' }[name as string] ?? 'uno'}*`)
      const schema = inside(operation.requestBody?.content['application/json'].schema)
      const body = schema === undefined ? '' : starred(bodyOf(schema, inside, sample))
      const caller = /\/(companies|users|memberships|customers)\//.test(path) ? 'superusuario' : 'director'
      const address = path.replace('{id}', '1*') + (query.length === 0 ? '' : `?${query.join('&')}`)
      targets.push({
        what: `${method.toUpperCase()} ${path}`,
        places: [address, ...headers, body].join('').split('*').length - 1,
        request: [`${method.toUpperCase()} ${address} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${tokens[caller] as string}`, 'Accept: application/json', ...headers, ...body === '' ? [] : ['Content-Type: application/json'], '', body].join('\r\n')
      })
    }
  }
  return targets.filter(({ places }) => places > 0)
}

function bodyOf (schema: any, inside: (value: any) => any, sample: (schema: any) => unknown): Record<string, unknown> {
  const fields = Object.entries<any>(schema.properties ?? {}).filter(([, field]) => inside(field).readOnly !== true)
  return Object.fromEntries(fields.map(([name, field]) => [name, name === 'items' ? [bodyOf(inside(inside(field).items), inside, sample)] : sample(field)]))
}

/** A body in which each value is text that ends with the mark. */
function starred (body: unknown): string {
  return JSON.stringify(body, (_name, value) => typeof value === 'object' ? value : `${String(value)}*`)
}
