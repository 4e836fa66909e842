import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint } from './endpoint.ts'
import { recordOf } from './items.ts'
import { arrival, create, writeMarks, type Base } from './marks.ts'
import type { User } from './user.ts'

/** Times that a record changes while the receivers are down. */
const times = 4

/**
 * Changes records many times while all receivers fail. Afterwards each webhook must receive each record once. Everything is delivered before.
 * @param patience in ms
 * @returns the violations
 */
export async function coalescing (endpoints: Endpoint[], bases: Map<User, Base>, patience: number): Promise<string[]> {
  const starts = new Map(endpoints.map(({ receiver }) => [receiver, receiver.hits.length]))
  for (const { receiver } of endpoints) receiver.mood = 'busy'
  const written = await Promise.all([...bases].map(async ([user, base]) => {
    const contract = await create(user, 'contracts', { folio: 'down-1' })
    for (let time = 1; time <= times; time++) await user.client.surely('PATCH', `contracts/${contract}/`, { body: { monto: `${time}.00` }, codes: [200] })
    for (let time = 1; time <= times; time++) await user.client.surely('PATCH', `contracts/${base.contracts}/`, { body: { monto: `${time}.00` }, codes: [200] })
    return [user, await writeMarks(user, base, 'down')] as const
  }))
  const marks = new Map(written)

  await Promise.all(endpoints.map(async (endpoint) => {
    // After many failures a receiver no longer shortens the pause.
    await endpoint.move()
    // The first request afterwards can be of a page from before the last write.
    await failure(endpoint, patience)
    await endpoint.receiver.heal()
  }))
  return (await Promise.all(endpoints.map(async (endpoint) => {
    const missing = await arrival(endpoint, marks.get(endpoint.user) as NonNullable<ReturnType<typeof marks.get>>, patience)
    const stuck = missing.map(type => `${endpoint.name} does not receive ${type} after its receiver was down`)
    const counts = new Map<string, number>()
    for (const { isAccepted, items } of endpoint.receiver.hits.slice(starts.get(endpoint.receiver))) {
      if (isAccepted) for (const item of items) counts.set(recordOf(item), (counts.get(recordOf(item)) ?? 0) + 1)
    }
    return [...stuck, ...[...counts].filter(([, count]) => count > 1).map(([record, count]) => `${endpoint.name} receives ${record} ${count} times after its receiver was down`)]
  }))).flat()
}

/** Waits for a request that begins from now on, and for its end. */
async function failure ({ receiver }: Endpoint, patience: number): Promise<void> {
  const since = performance.now()
  while (!receiver.hits.some(({ at, end }) => at > since && end < performance.now()) && performance.now() < since + patience) await sleep(20)
}
