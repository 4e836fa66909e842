import { channel, tracingChannel, type TracingChannel } from 'node:diagnostics_channel'
import type { Statement } from './sql.ts'

/** A Node.js diagnostics channel that metrics and traces subscribe to. Without subscribers, publishing does nothing. */
interface Channel<Message> {
  readonly hasSubscribers: boolean
  publish: (message: Message) => void
  subscribe: (listener: (message: Message) => void) => void
  unsubscribe: (listener: (message: Message) => void) => boolean
}

function open<Message> (name: string): Channel<Message> {
  return channel(`obra:${name}`) as ReturnType<typeof channel> & Channel<Message> // all its messages are published here
}

/** The batch of a turn ended: its name, number of requests and duration. */
export const turnRuns = open<{ turn: string, size: number, seconds: number }>('turn-run')

/** A cacheable GET was answered from the page cache, from the database or with 304. */
export const pageReads = open<'hit' | 'miss' | 'unchanged'>('page-read')

/** `overtaken`: a change is repeated as a unit of work, because another writer came first. `retried`: a transaction is retried. */
export const contention = open<'overtaken' | 'retried'>('conflict')

/** An attempt to prove a password ended. */
export const passwordAttempts = open<'succeeded' | 'failed' | 'throttled'>('password-attempt')

/** A batch of the purge ended: its table, removed rows and duration. */
export const purgeBatches = open<{ table: string, removed: number, seconds: number }>('purge-batch')

/** A purge removed all expired rows, at this Unix time in seconds. */
export const purgeRuns = open<number>('purge-run')

/** An attempt to deliver changes to a webhook ended. `lag` is the time since the commit of the oldest one, in seconds. */
export const webhookAttempts = open<{ isDelivered: boolean, changes: number, lag: number }>('webhook-attempt')

/** The service switched a webhook off. */
export const switchedOffWebhooks = open<{ company: number, webhook: number }>('webhook-switched-off')

/** A write violated a constraint that has no message: the error of the database. */
export const brokenConstraints = open<unknown>('broken-constraint')

/** A transaction that could write to the data of these companies is committed. Wakes the requests that wait for their changes. */
export const commits = open<readonly number[]>('commit')

/** A request of a turn. `size` is the number of requests in its batch, 0 before the batch starts. */
export interface TurnRequest {
  turn: string
  size: number
}

/** From the arrival of a request at a turn until its result. */
export const turnRequests: TracingChannel<unknown, TurnRequest> = tracingChannel('obra:turn-request')

/** From sending statements to the database until their rows arrive. Statements that follow from the first rows are added before the end. */
export const statements: TracingChannel<unknown, { statements: Array<Statement<object>> }> = tracingChannel('obra:statements')

/** A transaction of a unit of work, from begin to commit. */
export const unitsOfWork: TracingChannel<unknown, object> = tracingChannel('obra:unit-of-work')
