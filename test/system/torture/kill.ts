import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../../support/trial/random.ts'
import type { Place } from '../../support/process.ts'
import { exchangeOver } from '../kernel/client.ts'
import { underLoad, type Verdict } from '../kernel/load.ts'
import { logIn, server } from '../kernel/process.ts'
import { looking } from '../kernel/psql.ts'

/** Limits of one run of the server: acknowledged writes, and the ms after them until it is killed. */
const mostWrites = 60
const mostLonger = 30

/** Kills the server of a place repeatedly at random moments of a load. @param seed of all random choices @param node options of Node.js */
export async function kill (place: Place, times: number, seed: number, node: string[] = []): Promise<Verdict> {
  await using subject = await server(place, { node })
  const random = randomFrom(seed)
  const options = { exchange: (random: () => number) => exchangeOver([subject.origin], random), tokens: await logIn(subject.origin), seed, mayLose: true }
  return await underLoad({
    ...options,
    async look (work) {
      await subject.kill()
      return await looking(place, work)
    }
  }, async ({ written }) => {
    for (let time = 0; time < times; time++) {
      await written(1 + Math.floor(random() * mostWrites))
      await sleep(random() * mostLonger)
      await subject.kill()
      await subject.start()
    }
    await written(mostWrites)
  })
}
