import t from 'tap'
import type { Lease } from '../../../../src/server/webhooks/leases.ts'
import { RunningDeliveries } from '../../../../src/server/webhooks/places.ts'

const lease = (company: number, isSlow: boolean) => ({ company, isSlow }) as Lease

/** A delivery that does not end. */
async function endless (): Promise<void> {
  await new Promise(() => {})
}

t.test('slow deliveries take no place of prompt ones', async (t) => {
  const running = new RunningDeliveries()
  const { prompt, slow, ...ofCompany } = running.free
  running.begin([lease(1, false), lease(1, true), lease(2, true), lease(2, true)], endless)
  t.strictSame(running.free, { prompt: prompt - 1, slow: slow - 3, ...ofCompany })
  t.strictSame(running.ofCompanies(), [{ company: 1, prompt: 1, slow: 1 }, { company: 2, prompt: 0, slow: 2 }])
  t.equal(running.size, 4)
})

t.test('the end of a delivery tells whether others waited for its place', async (t) => {
  const running = new RunningDeliveries()
  const [first, second, ...others] = Array.from({ length: running.free.slow }, () => lease(1, true)) as [Lease, Lease, ...Lease[]]
  const prompt = lease(1, false)
  running.begin([first, second, ...others.slice(1), prompt], endless)
  t.notOk(running.end(first), 'a place was free')
  running.begin([lease(2, true), lease(3, true)], endless)
  t.equal(running.free.slow, 0)
  t.ok(running.end(second))
  t.notOk(running.end(prompt), 'prompt ones had places')
})
