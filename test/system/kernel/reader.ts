import { pick } from '../../support/trial/random.ts'
import type { Book } from './book.ts'
import type { Answer, Client } from './client.ts'
import { count, type Report } from './report.ts'
import type { Expectation, Shown } from './shown.ts'

/** A read and what it must show. */
export interface Read extends Expectation {
  /** The kind under which it is counted. */
  kind: string
  path: string
}

interface Remembered extends Shown {
  text: string
  next: string | null
}

const pageSize = 10
const narrow = 'fields=id,company,monto,contraparte'
const list = (query: string) => `contracts/?${query}`

/** The read of a contract. */
export const record = (id: number): Read => ({ kind: 'record', path: `contracts/${id}/`, record: id })
/** The list of the newest contracts. */
export const newest: Read = { kind: 'list', path: list(`ordering=-id&page_size=${pageSize}&${narrow}`), newest: pageSize }
/** The list of all contracts that were prepared, which come first in the order of `-folio`. */
export const prepared = (ids: number[]): Read => ({ kind: 'list', path: list(`ordering=-folio&page_size=${ids.length}`), ids })

/** Sends reads, conditional or not, and judges the answers. It keeps the latest answer for each path, to compare it with a 304. */
export class Reader {
  readonly #book: Book
  readonly #report: Report
  readonly #latest = new Map<string, Remembered>()

  constructor (book: Book, report: Report) {
    this.#book = book
    this.#report = report
  }

  /** @returns the path of the next page, if any */
  async read (client: Client, read: Read): Promise<string | undefined> {
    const { kind, path } = read
    const before = client.random() < 0.5 ? this.#latest.get(path) : undefined
    const known = this.#book.known()
    const answer = await client.once('GET', path, before?.etag === undefined ? {} : { headers: { 'if-none-match': before.etag } })
    if (answer === undefined) return undefined
    count(this.#report.reads, `${kind} ${answer.status}`)
    const { status, origin, headers: { etag = '' } } = answer
    const shown = status === 304 ? before : this.#shown(path, answer)
    const fault = status === 304 && before?.etag !== etag
      ? `304 to ${before?.etag ?? 'an unconditional read'}`
      : shown === undefined ? 'another body with the same ETag' : this.#book.judge(shown, known, read)
    if (fault !== undefined) this.#report.findings.push(`${origin} GET ${path} ${status} ${etag}: ${fault}`)
    return shown?.next?.replace(/^https?:\/\/[^/]+\/api\/v1\//, '')
  }

  /** @returns undefined if an answer with the same ETag had another body */
  #shown (path: string, answer: Answer): Remembered | undefined {
    const same = this.#latest.get(path)
    if (same?.etag !== undefined && same.etag === answer.headers.etag) return same.text === answer.text ? same : undefined
    const shown = parse(answer)
    this.#latest.set(path, shown)
    return shown
  }
}

function parse ({ status, headers: { etag }, text, body }: Answer): Remembered {
  if (status !== 200) return { status, etag, text, rows: [], next: null }
  const { results, count, next = null, ...record } = body
  return { status, etag, text, rows: results ?? [record], count, next }
}

/** What random reads can find. */
interface Readable {
  /** The prepared contracts, in the order of `-folio`. */
  ids: number[]
  folios: string[]
  /** Others that may exist. */
  living: number[]
}

/** A function that reads something at random. */
export function randomReads (reader: Reader, client: Client, { ids, folios, living }: Readable): () => Promise<void> {
  const { random } = client
  const half = Math.floor(ids.length / 2)
  const all = prepared(ids)
  const first: Read = { kind: 'list', path: list(`ordering=-folio&page_size=${half}&${narrow}`), ids: ids.slice(0, half) }
  const filtered = (index: number): Read =>
    ({ kind: 'filter', path: list(`folio=${folios[index]}`), ids: [ids[index]], count: 1 })
  const oldest: Read = { kind: 'list', path: 'contracts/' }

  return async () => {
    const some = random()
    if (some < 0.4) await reader.read(client, record(pick(ids, random)))
    else if (some < 0.55) await reader.read(client, all)
    else if (some < 0.7) await reader.read(client, newest)
    else if (some < 0.8) await reader.read(client, oldest)
    else if (some < 0.85) await reader.read(client, record(pick(living.length > 0 ? living : ids, random)))
    else if (some < 0.87) await reader.read(client, filtered(Math.floor(random() * ids.length)))
    else {
      const next = await reader.read(client, first)
      if (next !== undefined) await reader.read(client, { kind: 'next page', path: next, ids: ids.slice(half, 2 * half) })
    }
  }
}
