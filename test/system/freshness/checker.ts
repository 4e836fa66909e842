import { randomFrom } from '../../support/random.ts'
import { actor, type Acting } from './actor.ts'
import { open, type Connection } from './connection.ts'
import { Ledger, partyName } from './ledger.ts'
import { remembering } from './reader.ts'

/** What the checker is let loose on. */
export interface Stage {
  /** Servers on one database, by scheme, host and port. */
  origins: string[]
  /** A Director of each company, by the access token; the companies differ. */
  tokens: string[]
  /** Writes past the service, as psql would. */
  psql: (text: string, values: unknown[]) => Promise<unknown>
  /** Readers who also write, in each company; each has a connection to every server. */
  actors: number
  /** Reads to make, about. */
  reads: number
  /** How many of a hundred requests write. */
  writes: number
}

/** What came of it; it is filled while the checker runs. */
export interface Report {
  /** Reads by what was asked and how it was answered, in the end all. */
  reads: Map<string, number>
  total: number
  /** Acknowledged writes by kind. */
  writes: Map<string, number>
  /** Answers by the process that gave them. */
  processes: Map<string, number>
  violated: number
  /** The first ten. */
  violations: string[]
}

export function emptyReport (): Report {
  return { reads: new Map(), total: 0, writes: new Map(), processes: new Map(), violated: 0, violations: [] }
}

const mostTold = 10
const contractsEach = 2

/**
 * Reads and writes at once through all the servers, and holds every answer against what had been acknowledged when it was asked
 * for: nothing less may be shown, nothing that was not sent, nothing of another company. A request that fails is a violation, too.
 */
export async function checkFreshness (stage: Stage, report = emptyReport()): Promise<Report> {
  const { origins, tokens, psql, actors, reads, writes } = stage
  const random = randomFrom(4)
  const connections: Connection[] = []
  const connect = async () => {
    const opened = await Promise.all(origins.map(open))
    connections.push(...opened)
    return opened
  }
  const violated = (what: string) => {
    report.violated++
    if (report.violations.length < mostTold) report.violations.push(what)
  }
  const cast: Array<() => Promise<void>> = []
  try {
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      const [setting] = await connect() as [Connection]
      const { ledger, contracts, party } = await prepare(setting, headers, actors * contractsEach)
      const memory = remembering(ledger, report, violated)
      for (let number = 0; number < actors; number++) {
        const own = contracts.slice(number * contractsEach, (number + 1) * contractsEach)
        const acting: Acting = { ledger, memory, headers, party, contracts, own, connections: await connect(), psql, report, random, writes, number }
        cast.push(actor(acting))
      }
    }
    await Promise.all(cast.map(async (act) => {
      try {
        while (report.total < reads) await act()
      } catch (error) {
        violated(`failed: ${(error as Error).message}`)
      }
    }))
  } finally {
    for (const { close } of connections) close()
  }
  return report
}

/** A contract whose amount is raised. */
export interface Tracked {
  id: number
  folio: string
}

/** Makes what writers raise: a counterparty and its contracts, whose folios stand before all others in `-folio`. */
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
