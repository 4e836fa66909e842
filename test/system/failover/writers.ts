import { pick } from '../../../src/trial/random.ts'
import type { Raised } from '../freshness/ledger.ts'
import type { Step, Workload } from './workload.ts'

/** Most ETags that a staleWriter keeps. */
const mostKept = 200

/** Raises the amount of a contract that no other writer changes. */
export function raiser ({ books: { ledger }, clientOf }: Workload, id: number): Step {
  const own = clientOf()
  let value = 0
  return async () => {
    const done = ledger.raise([ledger.raised.get(id) as Raised], ++value)
    const answer = await own.until([200], 'PATCH', `contracts/${id}/`, { body: { monto: `${value}.00` } })
    if (answer !== undefined) done()
  }
}

/** Increments the counter by compare and swap. An ETag that is not the current one must fail. */
export function incrementer ({ books, clientOf, found }: Workload): Step {
  const own = clientOf()
  return async () => {
    const floor = books.counted
    const read = await own.once('GET', `contracts/${books.counter}/`)
    if (read === undefined) return
    const value = Number(JSON.parse(read.body).monto)
    if (value < floor) found(`stale: the counter shows ${value} after ${floor} was acknowledged`)
    const answer = await own.once('PATCH', `contracts/${books.counter}/`, { body: { monto: `${value + 1}.00` }, headers: { 'if-match': read.headers.etag as string } })
    if (answer?.status === 200) found(books.increment(value))
  }
}

/** Keeps ETags, and sends them as If-Match after a later write was acknowledged. None may be accepted, also after a failover. */
export function staleWriter ({ books: { ledger }, ids, clientOf, found }: Workload): Step {
  const own = clientOf()
  const kept: Array<{ id: number, value: number, etag: string }> = []
  return async () => {
    const read = await own.once('GET', `contracts/${pick(ids, own.random)}/`)
    if (read !== undefined) {
      const { id, monto } = JSON.parse(read.body)
      kept.push({ id, value: Number(monto), etag: read.headers.etag as string })
      if (kept.length > mostKept) kept.shift()
    }
    const late = kept.filter(({ id, value }) => value < (ledger.raised.get(id) as Raised).floor)
    if (late.length === 0) return
    const { id, value, etag } = pick(late, own.random)
    const answer = await own.once('PATCH', `contracts/${id}/`, { body: { descripcion: 'late' }, headers: { 'if-match': etag } })
    if (answer?.status === 200) found(`If-Match accepted ${etag} of contract ${id} with ${value}, after a later amount was acknowledged`)
  }
}

/** Creates a contract or an estimate with an Idempotency-Key, and repeats it until it is acknowledged. */
export function creator ({ books, report, main, newMark, clientOf, found }: Workload): Step {
  const own = clientOf()
  return async () => {
    const mark = newMark()
    const isContract = own.random() < 0.5
    const done = isContract ? books.ledger.create(1) : () => {}
    const [path, body] = isContract ? ['contracts/', { folio: mark }] : ['estimates/', { contract: main, descripcion: mark, monto: '0.01' }]
    const answer = await own.until([201], 'POST', path, { body, headers: { 'idempotency-key': mark } })
    if (answer === undefined) return
    if (answer.headers['idempotency-replayed'] !== undefined) report.count('POST replayed')
    const { id } = JSON.parse(answer.body)
    found(books.create(mark, id))
    done([id])
  }
}

/** Creates a contract without a key. After a 503 it looks for the contract before it repeats. */
export function keyless ({ books, newMark, clientOf, found }: Workload): Step {
  const own = clientOf()
  return async () => {
    const mark = newMark()
    const done = books.ledger.create(1)
    let id: number | undefined
    for (let isRepeated = false; id === undefined; isRepeated = true) {
      const answer = await own.once('POST', 'contracts/', { body: { folio: mark }, allowed: isRepeated ? [400] : [] })
      if (answer?.status === 201) {
        id = JSON.parse(answer.body).id
      } else {
        const looked = await own.until([200], 'GET', `contracts/?folio=${mark}`)
        if (looked === undefined) return
        id = JSON.parse(looked.body).results[0]?.id
      }
    }
    found(books.create(mark, id))
    done([id])
  }
}
