import { pick } from '../../../src/trial/random.ts'
import { Device, type FeedRecord } from '../../support/device.ts'
import type { Read, Reader } from '../freshness/reader.ts'
import type { Step, Workload } from './workload.ts'

/** Thrown for a read without an answer to judge. */
class Unanswered extends Error {}

/** Reads lists and records, conditionally or not, from any server. */
export function readings ({ ids, clientOf }: Workload, reader: Reader): Step {
  const own = clientOf()
  const connection = {
    origin: '',
    close () {},
    async send (method: string, path: string, headers: Record<string, string> = {}) {
      const answer = await own.once(method, path.replace('/api/v1/', ''), { headers, allowed: [404] })
      if (answer === undefined) throw new Unanswered()
      return { status: answer.status, etag: answer.headers.etag, body: answer.body, replayed: false, process: '' }
    }
  }
  const half = Math.ceil(ids.length / 2)
  const list = (query: string) => `/api/v1/contracts/?${query}`
  const first: Read = { kind: 'list', path: list(`ordering=-folio&page_size=${half}&fields=id,company,monto,contraparte`), ids: ids.slice(0, half) }
  const reads: Array<() => Read> = [
    () => ({ kind: 'record', path: `/api/v1/contracts/${pick(ids, own.random)}/` }),
    () => ({ kind: 'list', path: list(`ordering=-folio&page_size=${ids.length}`), ids }),
    () => ({ kind: 'list', path: list('ordering=-id&page_size=20&fields=id,company,monto,contraparte'), newest: 20 }),
    () => first
  ]
  return async () => {
    const read = pick(reads, own.random)()
    const expected = read.kind === 'record' ? { ...read, record: Number(/(\d+)\/$/.exec(read.path)?.[1]) } : read
    try {
      const next = await reader(connection, {}, expected, own.random() < 0.6)
      if (read === first && next !== undefined) await reader(connection, {}, { kind: 'next page', path: next, ids: ids.slice(half) }, false)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
    }
  }
}

/** Keeps a copy of all records by the change feed. */
export function feed ({ books: { ledger }, clientOf, found }: Workload): { device: Device, step: Step } {
  const own = clientOf()
  const device = new Device(async (url) => {
    const answer = await own.until([200, 410], 'GET', url)
    if (answer === undefined) throw new Unanswered()
    return { statusCode: answer.status, json: () => JSON.parse(answer.body) }
  })
  const step = async () => {
    const { floors } = ledger.known()
    try {
      if (!await device.step()) return
    } catch (error) {
      if (error instanceof Unanswered) return
      throw error
    }
    for (const [id, floor] of floors) {
      const { monto } = device.records.get(`contracts/${id}`) as FeedRecord
      if (Number(monto) < floor) found(`stale: the change feed shows contract ${id} with ${monto} after ${floor} was acknowledged`)
    }
  }
  return { device, step }
}
