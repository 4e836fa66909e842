import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { registered } from '../../../src/domain/resources.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { demoIds } from '../../support/accounts.ts'
import type { Client, TestServer } from '../../support/helper.ts'
import { shotsOf, type Shot } from './shots.ts'

/** Result of sending random requests. */
export interface Fuzzed {
  /** Number of answers by status. */
  statuses: Map<number, number>
  /** Failures, each with its request. They include undeclared answers, which a test server rejects. */
  found: string[]
}

const patience = 20_000
const atOnce = 16
const batch = 500

/** Only this many failures are reduced, since one defect causes many. */
const mostShrunk = 5
const shrinkingTime = 30_000

/** Sends random requests; the same `seed` sends the same ones. A failing request is sent again alone and reduced. */
export async function fuzz (server: TestServer, times: number, seed: number): Promise<Fuzzed> {
  const { as, app } = server
  const clients = { business: await as('director@demo.example'), accounts: await as('corporativo@demo.example'), all: await as('superusuario@demo.example') }
  const shots = shotsOf(await describeService(), await targets(server))
  const result: Fuzzed = { statuses: new Map(), found: [] }
  const judge = async (shot: Shot, statuses = new Map<number, number>()) => await fire(app, clients[caller(shot.resource)], shot, statuses)

  for (let done = 0; done < times; done += batch) {
    const queue = fc.sample(shots, { numRuns: Math.min(batch, times - done), seed: seed + done }).entries()
    const failures: Array<{ wrong: string, shot: Shot, path: string }> = []
    await Promise.all(Array.from({ length: atOnce }, async () => {
      for (const [index, shot] of queue) {
        const wrong = await judge(shot, result.statuses)
        if (wrong !== undefined) failures.push({ wrong, shot, path: String(index) })
      }
    }))
    for (const { wrong, shot, path } of failures) {
      const small = result.found.length < mostShrunk ? `; ${await smallest(shots, judge, { seed: seed + done, path })}` : ''
      result.found.push(`seed ${seed}, number ${done + Number(path)}: ${wrong}: ${describe(shot)}${small}`)
    }
  }
  return result
}

/** Repeats a failing request and reduces it. @param at seed and path of the request in fast-check */
async function smallest (shots: fc.Arbitrary<Shot>, judge: (shot: Shot) => Promise<string | undefined>, at: { seed: number, path: string }): Promise<string> {
  const { counterexample } = await fc.check(fc.asyncProperty(shots, async shot => await judge(shot) === undefined), { ...at, numRuns: 1, interruptAfterTimeLimit: shrinkingTime })
  if (counterexample === null) return 'sent separately it is answered correctly: it fails only after earlier requests'
  const [shot] = counterexample
  return `the smallest: ${await judge(shot)}: ${describe(shot)}`
}

function caller (resource: string): 'business' | 'accounts' | 'all' {
  return resource === 'customers' ? 'all' : ['companies', 'users', 'memberships'].includes(resource) ? 'accounts' : 'business'
}

async function fire (app: TestServer['app'], client: Client, { method, url, headers, payload }: Shot, statuses: Fuzzed['statuses']): Promise<string | undefined> {
  const late = new AbortController()
  try {
    const answer = await Promise.race([
      app.inject({ method, url, payload, headers: { authorization: `Bearer ${client.access}`, ...headers } }),
      sleep(patience, undefined, { signal: late.signal })
    ])
    if (answer === undefined) return `no answer in ${patience} ms`
    const { statusCode, body, headers: given } = answer
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    if (statusCode >= 500) return `${statusCode} ${body}`
    if (given['x-content-type-options'] !== 'nosniff') return `${statusCode} without X-Content-Type-Options: nosniff`
    const type = String(given['content-type'])
    if (body !== '' && !/^application\/(json|openapi\+json)/.test(type)) return `${statusCode} as ${type}, which a browser may run`
    if (statusCode >= 400 && method !== 'HEAD' && typeof JSON.parse(body).detail !== 'string') return `${statusCode} without a detail: ${body}`
    return Object.values(given).some(value => /[\r\n]/.test(String(value))) ? 'a line break in a header' : undefined
  } catch (error) {
    return String(error).slice(0, 1000)
  } finally {
    late.abort()
  }
}

function describe ({ method, url, headers, payload }: Shot): string {
  return `${method} ${url.slice(0, 500)} ${JSON.stringify(headers).slice(0, 500)} ${String(payload).slice(0, 500)}`
}

/** Ids of records that random requests may target. None of them is a user who sends requests. */
async function targets (server: TestServer): Promise<Record<string, number[]>> {
  const { psql } = server
  const { customers, companies } = await demoIds(server)
  const ids = async (text: string, values: unknown[] = []) => (await psql(text, values)).map(({ id }) => id as number)
  const norte = companies['Obra Norte']
  const contract = await plantWork(psql, norte)
  const users = await ids("insert into users (email, password, customer_id) select 'blanco-' || n || '@demo.example', '!', $1 from generate_series(1, 20) n returning id", [customers['Constructora Demo']])
  return {
    ...Object.fromEntries(await Promise.all(registered.map(async ({ name, copies, references }) => {
      const isOfContract = [...Object.values(references), ...copies].some(({ column }) => column === 'contract_id')
      const first = name === 'contracts' ? 'id' : isOfContract ? 'contract_id' : 'null'
      return [name, await ids(`select id from ${name} where company_id = $1 order by ${first} = $2 desc, id desc limit 20`, [norte, contract])] as const
    }))),
    companies: [companies['Obra Sur']],
    customers: [customers['Constructora Demo']],
    users,
    memberships: await ids('insert into memberships (user_id, company_id, nivel_acceso) select unnest($1::int[]), $2, 1 returning id', [users.slice(0, 10), norte])
  }
}

/** Adds an attachment, and drafts of a change order and of an estimate with a measurement, to the contract with a catalogue. @returns the contract, whose records are the first targets */
async function plantWork (psql: TestServer['psql'], company: number): Promise<number> {
  const [{ id: concepto, contract_id: contract }] = await psql('select id, contract_id from conceptos where company_id = $1 order by id limit 1', [company])
  await psql('insert into convenios (company_id, contract_id) values ($1, $2)', [company, contract])
  const [{ id: estimate }] = await psql('insert into estimates (company_id, contract_id) values ($1, $2) returning id', [company, contract])
  await psql('insert into generadores (company_id, estimate_id, concepto_id, cantidad) values ($1, $2, $3, 1)', [company, estimate, concepto])
  await psql("insert into adjuntos (company_id, contract_id, nombre, tipo, bytes, sha256) values ($1, $2, 'losa.jpg', 'image/jpeg', 3, repeat('0', 64))", [company, contract])
  return contract
}
