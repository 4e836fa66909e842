import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import type { Statement } from './sql.ts'

/**
 * What the service tells of its work while it does it, by Node's diagnostics channels: metrics and traces listen, when they are wanted, and the
 * core knows of neither. Telling what nobody listens to is an empty function (decision 18).
 */
interface Told<Message> {
  readonly hasSubscribers: boolean
  publish: (message: Message) => void
  subscribe: (listener: (message: Message) => void) => void
  unsubscribe: (listener: (message: Message) => void) => boolean
}

function told<Message> (name: string): Told<Message> {
  return channel(`obra:${name}`) as unknown as Told<Message>
}

/** A run of a turn is over: its name, how many asked in it, how long it took. */
export const turnRuns = told<{ turn: string, size: number, seconds: number }>('turn-run')

/** A GET that may be remembered: answered from memory, by the database, or by 304. */
export const pageReads = told<'hit' | 'miss' | 'unchanged'>('page-read')

/** Another writer came in between: a change is done again as a unit of work, or a transaction is run again. */
export const conflicts = told<'overtaken' | 'retried'>('conflict')

/** An attempt to log in, or to prove oneself by password, has ended. */
export const passwordAttempts = told<'succeeded' | 'failed' | 'throttled'>('password-attempt')

/** A batch of the purge ended: its table, the rows removed and the seconds it took. */
export const purgeBatches = told<{ table: string, removed: number, seconds: number }>('purge-batch')

/** A run of the purge removed all expired rows, at this Unix time in seconds. */
export const purgeRuns = told<number>('purge-run')

/** What one request asks a turn for: `size` is how many were asked together, once that is known. */
export interface Asked {
  turn: string
  size: number
}

/** From the moment in which a request asks a turn until it is answered. */
export const asks = tracingChannel('obra:ask') as TracingChannel<unknown, Asked>

/** From the moment in which statements go to the database, in one transaction or alone, until their rows are there. */
export const statements = tracingChannel('obra:statements') as TracingChannel<unknown, { statements: Statement[] }>

/** A transaction of a unit of work, from its begin to its commit. */
export const unitsOfWork = tracingChannel('obra:unit-of-work') as TracingChannel<unknown, object>
