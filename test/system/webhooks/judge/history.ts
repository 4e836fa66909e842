import type { Disturbance } from '../servers.ts'
import { compared, type Item } from '../items.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Hit } from '../hit.ts'

/** An accepted delivery. */
export interface Accepted extends Hit {
  items: [Item, ...Item[]]
  /** Whether the sender may not know that it is accepted, so that its changes may come again. */
  isUncertain: boolean
  /** Whether it may be of the generation before, because it is a repetition that arrived during the call of a replay. */
  isAmbiguous: boolean
}

/** The accepted deliveries since the creation of a webhook or since a replay. */
export interface Generation {
  /** The revision after which it begins. */
  since: number
  deliveries: Accepted[]
}

/** Whether anything disturbed the service in a time. */
function isDisturbed (disturbances: Disturbance[], from: number, to: number): boolean {
  return disturbances.some(disturbance => disturbance.from <= to && disturbance.to >= from)
}

/**
 * Splits what a receiver has accepted by replays.
 * @param start the revision at the creation of the webhook
 * @returns the generations, and the deliveries that are out of order
 */
export function historyOf (endpoint: Endpoint, start: number, disturbances: Disturbance[]): { generations: Generation[], faults: string[] } {
  const hits = endpoint.receiver.hits.filter(({ items }) => items.length > 0)
  const accepted = hits.flatMap((hit, index): Accepted[] => {
    if (!hit.isAccepted) return []
    return [{ ...hit, items: hit.items as Accepted['items'], isAmbiguous: false, isUncertain: hit.isFrozen || isUncertain(endpoint, disturbances, hits.slice(0, index).findLast(({ id }) => id !== hit.id)?.at ?? 0, hit.at, hits[index + 1]?.at ?? hit.end + 5000) }]
  })
  const faults: string[] = []
  const replays = endpoint.replays.map(replay => ({ ...replay }))
  const generations: Generation[] = [start, ...replays.map(({ since }) => since)].map(since => ({ since, deliveries: [] }))
  let present = 0
  let previous: Accepted | undefined
  for (const delivery of accepted) {
    const isBack = previous !== undefined && compared(delivery.items[0], (previous.items.at(-1) as Item)) <= 0
    const isRepeated = isBack && previous?.isUncertain === true && compared(delivery.items[0], previous.items[0]) >= 0
    delivery.isAmbiguous = isRepeated && replays.some(({ from, to }) => from <= delivery.at && delivery.at <= to)
    // The call of a replay is answered after its effect.
    let latest = 1 + replays.findLastIndex(({ from, to }) => isBack ? from <= delivery.at : to < delivery.at)
    // It can be read before the call, and arrive during or after it.
    const isEarly = latest > present && delivery.items[0].revision <= generations[latest].since && (previous?.at ?? 0) < (replays[latest - 1]?.to ?? 0)
    if (isEarly) latest = Math.max(present, 1 + replays.findLastIndex(({ to, since }) => to < delivery.at && since < delivery.items[0].revision))
    if (isBack && !isRepeated) {
      const cause = replays.find(({ from, tries }) => from <= delivery.at && tries > 0)
      if (cause === undefined) faults.push(`${endpoint.name}: ${told(delivery)} follows ${told(previous as Accepted)}`)
      else {
        cause.tries--
        present = latest
        generations[present].deliveries = []
      }
    }
    present = Math.max(present, latest)
    generations[present].deliveries.push(delivery)
    previous = delivery
  }
  return { generations, faults }
}

/** The owner can change the webhook after the delivery before, and so before the request. */
function isUncertain ({ changes, skips }: Endpoint, disturbances: Disturbance[], before: number, from: number, to: number): boolean {
  return isDisturbed(disturbances, from, to) || [...changes, ...skips].some(change => change.from <= to && change.to >= before)
}

function told ({ items, id, fate, isUncertain }: Accepted): string {
  return `${items.map(({ type, revision, id }) => `${type} ${id} at ${revision}`).join(', ')} (${id.slice(0, 12)}, ${fate}${isUncertain ? ', maybe lost' : ''})`
}
