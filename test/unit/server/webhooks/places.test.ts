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
  t.strictSame(running.loads(), [{ company: 1, prompt: 1, slow: 1 }, { company: 2, prompt: 0, slow: 2 }])
  t.equal(running.size, 4)
})

t.test('the end of a delivery tells who waited for its place', async (t) => {
  const running = new RunningDeliveries()
  const { slow, slowOfCompany } = running.free
  const leases = Array.from({ length: slow }, (_, number) => lease(Math.floor(number / slowOfCompany), true))
  const [first, second] = leases as [Lease, Lease]
  const [prompt, alone] = [lease(0, false), lease(9, true)]
  running.begin([...leases.slice(1), prompt, alone], endless)
  t.equal(running.free.slow, 0)
  t.equal(running.end(second), 'all')
  t.equal(running.end(prompt), undefined, 'prompt ones had places')
  running.begin([second], endless)
  running.end(alone)
  running.begin([first], endless)
  running.end(leases.at(-1) as Lease)
  running.begin([], endless)
  t.equal(running.end(first), 'company')
})
