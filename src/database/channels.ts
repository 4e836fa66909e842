import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import type { Statement } from './sql.ts'

/**
 * Node's diagnostics channels with events of the service's work. Metrics and traces subscribe to them. Publishing without subscribers is an
 * empty function.
 */
interface Channel<Message> {
  readonly hasSubscribers: boolean
  publish: (message: Message) => void
  subscribe: (listener: (message: Message) => void) => void
  unsubscribe: (listener: (message: Message) => void) => boolean
}

function open<Message> (name: string): Channel<Message> {
  return channel(`obra:${name}`) as unknown as Channel<Message>
}

/** A run of a turn ended: its name, number of requests and duration. */
export const turnRuns = open<{ turn: string, size: number, seconds: number }>('turn-run')

/** A GET that can be cached was answered from memory, by the database, or by 304. */
export const pageReads = open<'hit' | 'miss' | 'unchanged'>('page-read')

/** A change is repeated as a unit of work after another writer's, or a transaction is retried. */
export const contention = open<'overtaken' | 'retried'>('conflict')

/** An attempt to log in, or to prove oneself by password, has ended. */
export const passwordAttempts = open<'succeeded' | 'failed' | 'throttled'>('password-attempt')

/** A batch of the purge ended: its table, the rows removed and the seconds it took. */
export const purgeBatches = open<{ table: string, removed: number, seconds: number }>('purge-batch')

/** A run of the purge removed all expired rows, at this Unix time in seconds. */
export const purgeRuns = open<number>('purge-run')

/** A request to a turn. `size` is the number of requests in its run, 0 before the run. */
export interface TurnRequest {
  turn: string
  size: number
}

/** From the arrival of a request at a turn until its answer. */
export const turnRequests = tracingChannel('obra:turn-request') as TracingChannel<unknown, TurnRequest>

/** From sending statements to the database until their rows have arrived. */
export const statements = tracingChannel('obra:statements') as TracingChannel<unknown, { statements: Statement[] }>

/** A transaction of a unit of work, from its begin to its commit. */
export const unitsOfWork = tracingChannel('obra:unit-of-work') as TracingChannel<unknown, object>
