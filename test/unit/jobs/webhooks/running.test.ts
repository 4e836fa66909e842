import t from 'tap'
import type { Lease } from '../../../../src/jobs/webhooks/leases.ts'
import { RunningDeliveries } from '../../../../src/jobs/webhooks/running.ts'

let hosts = 0
/** A delivery to a host of its own, by default. */
const lease = (customer: number, isSlow: boolean, host = `host ${hosts++}`) => ({ company: customer, customer, host, isSlow }) as Lease

/** A delivery that does not end. */
async function endless (): Promise<void> {
  await new Promise(() => {})
}

t.test('slow deliveries take no slot of prompt ones', async (t) => {
  const running = new RunningDeliveries()
  const { prompt, slow, ...others } = running.free
  const leases = [lease(1, false), lease(1, true), lease(2, true), lease(2, true)]
  running.begin(leases, endless)
  t.strictSame(running.free, { prompt: prompt - 1, slow: slow - 3, ...others })
  t.strictSame(running.all(), leases)
  t.equal(running.size, 4)
})

t.test('the end of a delivery tells who waited for its place', async (t) => {
  const running = new RunningDeliveries()
  const { slow, slowOfCustomer } = running.free
  const leases = Array.from({ length: slow }, (_, number) => lease(Math.floor(number / slowOfCustomer), true))
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
  t.equal(running.end(first), 'customer')
})

t.test('a host has places too', async (t) => {
  const running = new RunningDeliveries()
  const { host, hostOfCustomer } = running.free
  const own = Array.from({ length: hostOfCustomer }, () => lease(1, false, 'busy'))
  running.begin(own, endless)
  t.equal(running.end(own.pop() as Lease), 'customer')
  running.begin(Array.from({ length: host - hostOfCustomer + 1 }, (_, number) => lease(2 + number, false, 'busy')), endless)
  t.equal(running.end(own[0]), 'all')
})
