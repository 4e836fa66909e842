import { randomFrom } from '../../../src/trial/random.ts'
import { actor, type ActorOptions } from './actor.ts'
import { open, type Connection } from './connection.ts'
import { Ledger, partyName } from './ledger.ts'
import { createReader } from './reader.ts'

/** The setting of a check. */
export interface Stage {
  /** Scheme, host and port of each server; all use one database. */
  origins: string[]
  /** The access token of a Director of each company. */
  tokens: string[]
  /** Writes to the database directly, without the service. */
  psql: (text: string, values: unknown[]) => Promise<unknown>
  /** Readers who also write, in each company. Each has a connection to every server. */
  actors: number
  /** Approximate number of reads. */
  reads: number
  /** Ends the check before that. */
  isOver?: () => boolean
  /** Opens the connections of an actor. Default: one to each of `origins`. */
  connect?: () => Promise<Connection[]>
  /** Percentage of requests that write. */
  writes: number
}

/** The result, updated while the checker runs. */
export interface Report {
  /** Number of reads by kind and status. */
  reads: Map<string, number>
  total: number
  /** Acknowledged writes by kind. */
  writes: Map<string, number>
  /** Number of answers by server process. */
  processes: Map<string, number>
  violated: number
  /** The first ten violations. */
  violations: string[]
}

export function emptyReport (): Report {
  return { reads: new Map(), total: 0, writes: new Map(), processes: new Map(), violated: 0, violations: [] }
}

const mostListed = 10
const contractsEach = 2

/**
 * Reads and writes concurrently through all servers. Compares each answer with what was acknowledged before its request:
 * it must not show less, nor anything that was never sent, nor data of another company. A failed request is a violation too.
 */
export async function checkFreshness (stage: Stage, report = emptyReport()): Promise<Report> {
  const { origins, tokens, psql, actors, reads, writes, isOver = () => false } = stage
  const random = randomFrom(4)
  const connections: Connection[] = []
  const connect = async () => {
    const opened = await (stage.connect?.() ?? Promise.all(origins.map(open)))
    connections.push(...opened)
    return opened
  }
  const violated = (what: string) => {
    report.violated++
    if (report.violations.length < mostListed) report.violations.push(what)
  }
  const cast: Array<() => Promise<void>> = []
  try {
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      const [setting] = await connect() as [Connection]
      const { ledger, contracts, party } = await prepare(setting, headers, actors * contractsEach)
      const memory = createReader(ledger, report, violated)
      for (let number = 0; number < actors; number++) {
        const own = contracts.slice(number * contractsEach, (number + 1) * contractsEach)
        const acting: ActorOptions = { ledger, memory, headers, party, contracts, own, connections: await connect(), psql, report, random, writes, number }
        cast.push(actor(acting))
      }
    }
    await Promise.all(cast.map(async (act) => {
      try {
        while (report.total < reads && !isOver()) await act()
      } catch (error) {
        violated(`failed: ${(error as Error).message}`)
      }
    }))
  } finally {
    for (const { close } of connections) close()
  }
  return report
}

/** A contract whose amount writers raise. */
export interface Tracked {
  id: number
  folio: string
}

/** Creates the counterparty and the contracts that writers change. Their folios come first in `-folio`. */
async function prepare ({ send }: Connection, headers: Record<string, string>, number: number) {
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, `/api/v1/${path}`, headers, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 300)}`)
    return JSON.parse(answer.body)
  }
  const { company } = await made('GET', 'me/')
  const party = await made('POST', 'contrapartes/', { nombre: partyName(company, 0) })
  const items = Array.from({ length: number }, (_, index) => {
    const folio = `zzzz-${String(index).padStart(4, '0')}`
    return { folio, external_id: folio, monto: '0.00', contraparte: party.id }
  })
  const { results } = await made('POST', 'contracts/bulk/', { items }) as { results: Tracked[] }
  const { count } = await made('GET', 'contracts/?page_size=1')
  const contracts = results.reverse().map(({ id, folio }) => ({ id, folio }))
  return { ledger: new Ledger(company, contracts.map(({ id }) => id), count), contracts, party: party.id as number }
}
