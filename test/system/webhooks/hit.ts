import type { Fate } from './fates.ts'
import type { Item } from './items.ts'

/** A request at a receiver. Times by `performance.now()`. */
export interface Hit {
  path: string
  at: number
  /** The end of the exchange: the answer, or the end of the connection. */
  end: number
  /** Time of arrival in ms since 1970. */
  clock: number
  id: string
  timestamp: number
  body: string
  items: Item[]
  fate: Fate
  isAccepted: boolean
  /** Whether its server was suspended while it waited. Its lease has ended then. */
  isFrozen: boolean
  /** Numbers of the secrets, known at arrival, that do not match the signature. */
  unverified: number[]
}

/** Whether the receiver cut the connection. On an idle connection that is used again, the sender repeats the request at once, with the same headers. */
export function isCut ({ fate }: Hit): boolean {
  return ['reset', 'closed', 'half a head', 'hang'].includes(fate)
}

/** Whether it is a `ping`, which is outside the order. */
export function isPing ({ body }: Hit): boolean {
  return body.startsWith('{"type":"ping"')
}
