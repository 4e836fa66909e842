import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { describeService } from '../../../../src/server/describe-service.ts'
import { insideOf } from '../../../support/openapi/inside.ts'
import { tokensOf } from '../../../support/over-http.ts'
import type { Row } from '../../kernel/table.ts'

/** Whether `sqlmap` is installed (on Debian: `apt-get install sqlmap`). */
export function mayRunSqlmap (): boolean {
  try {
    execFileSync('sqlmap', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** One place of one operation for sqlmap to test. */
export interface Target {
  /** Method, path and place: the name of a parameter, or `body`. */
  what: string
  /** The raw request, with `*` after the tested value. */
  request: string
}

const patience = 180_000

/**
 * Runs sqlmap on every parameter, field and header of every operation: errors, unions, booleans and stacked statements, for PostgreSQL.
 * @param options further options of sqlmap
 */
export async function sqlmap (origin: string, options: string[] = ['--level', '1', '--risk', '1']): Promise<Row> {
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
        const output = await run(['-r', file, '--batch', '--ignore-stdin', '--dbms', 'PostgreSQL', '--technique', 'BEUS', '--output-dir', join(dir, String(index)), '--ignore-code', '*', '--disable-coloring', '--flush-session', '--skip-waf', '--threads', '2', '--timeout', '10', '--retries', '1', ...options])
        if (/is vulnerable|identified the following injection point/.test(output)) found.push(`${what}: ${output.slice(-3000)}`)
        else if (!/do not appear to be injectable|does not seem to be injectable/.test(output)) found.push(`${what}: not tried: ${output.slice(-800)}`)
        for (const [, status] of output.matchAll(/\b(5\d\d) \([A-Z][A-Za-z ]+\) - \d+ times/g)) found.push(`${what}: answered with ${status}`)
      }
    }))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return { what: 'sqlmap on every parameter, field and header', times: targets.length, result: options.join(' '), bad: found }
}

async function run (args: string[]): Promise<string> {
  return await new Promise(resolve => execFile('sqlmap', args, { timeout: patience, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => resolve(`${stdout}${error?.killed === true ? '\nkilled: time limit' : ''}`)))
}

/**
 * One target for each parameter and each body value of every operation under `/api/v1/` except the log-in.
 * @param document the OpenAPI document
 * @param host of the server, with its port
 * @param tokens access tokens of `director` and `superusuario`
 */
export function targetsOf (document: any, host: string, tokens: Record<string, string>): Target[] {
  const inside = insideOf(document)
  const sample = (schema: any): unknown => {
    const given = inside(schema)
    return given?.examples?.[0] ?? given?.enum?.[0] ?? { integer: 1, boolean: true, array: [], object: {} }[[given?.type].flat()[0] as string] ?? 'texto'
  }
  const targets: Target[] = [] // small pages: sqlmap compares them word by word
  for (const [path, item] of Object.entries<any>(document.paths)) {
    if (!path.startsWith('/api/v1/') || path === '/api/v1/api-token-auth/') continue // the rate limit stops thousands of log-ins
    for (const [method, operation] of Object.entries<any>(item)) {
      const parameters: any[] = (operation.parameters ?? []).map(inside)
      const caller = /\/(companies|users|memberships|customers)\//.test(path) ? 'superusuario' : 'director'
      const schema = inside(operation.requestBody?.content['application/json']?.schema)
      const whole = schema === undefined ? undefined : bodyOf(schema, inside, sample)
      // One place at a time: a request that is refused because of another place never reaches SQL.
      const add = (place: string, { address = path.replace('{id}', '1'), header, body = whole === undefined ? '' : JSON.stringify(whole) }: { address?: string, header?: string, body?: string }) => targets.push({
        what: `${method.toUpperCase()} ${path} ${place}`,
        request: [`${method.toUpperCase()} ${address} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${tokens[caller]}`, 'Accept: application/json', ...header === undefined ? [] : [header], ...body === '' ? [] : ['Content-Type: application/json'], '', body].join('\r\n')
      })
      if (path.includes('{id}')) add('id', { address: path.replace('{id}', '1*') })
      for (const { name, in: where, schema } of parameters) {
        if (where === 'query') add(name, { address: `${path.replace('{id}', '1')}?${name === 'page_size' ? '' : 'page_size=1&'}${name}=${encodeURIComponent(String(sample(schema)))}*`.replace(/(\{id\}|\/1\/|tree\/)\?page_size=1&/, '$1?') })
        if (where === 'header') add(name, { header: `${name}: ${{ 'If-Match': '"1.1.x.1', 'If-None-Match': '"1.1.x', 'Accept-Language': 'es' }[name as string] ?? 'uno'}*` })
      }
      for (const body of starred(whole)) add('body', { body })
    }
  }
  return targets
}

function bodyOf (schema: any, inside: (value: any) => any, sample: (schema: any) => unknown): Record<string, unknown> {
  const fields = Object.entries<any>(schema.properties ?? {}).filter(([, field]) => inside(field).readOnly !== true)
  return Object.fromEntries(fields.map(([name, field]) => [name, name === 'items' ? [bodyOf(inside(inside(field).items), inside, sample)] : sample(field)]))
}

/** The body once for each of its values, with the mark after that value. */
function starred (body: unknown): string[] {
  const text = JSON.stringify(body) ?? ''
  return [...text.matchAll(/(?<=:\[?)("[^"]*|\d+)(?=[",}\]])/g)].map(({ 0: value, index }) => `${text.slice(0, index)}${value}*${text.slice(index + value.length)}`)
}
