import t from 'tap'
import { demoPlace } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { trial, type Event } from './trial.ts'

const events: Event[] = server === undefined ? ['kill', 'restart'] : ['kill', 'freeze', 'restart', 'outage', 'kill']

t.test('whatever fails, each webhook receives the last state of each record, in order', async (t) => {
  const seed = Date.now() % 1_000_000
  const { faults, counts } = await trial(await demoPlace(t), { seed, webhooks: 3, events, deliveries: 40 })
  t.strictSame(faults, [], `seed ${seed}`)
  t.ok(counts['deliveries'] > 100, JSON.stringify(counts))
})
