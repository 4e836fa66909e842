import t from 'tap'
import { demoPlace } from '../../support/process.ts'
import { planOf, trial } from './trial.ts'

t.test('whatever fails, devices converge to the server, and every edit is applied once or reported', async (t) => {
  const seed = Date.now() % 1_000_000
  const { faults, counts } = await trial(await demoPlace(t), planOf(seed, 6, 1, 40))
  t.strictSame(faults, [], `seed ${seed}`)
  t.ok(counts['edits'] > 100, JSON.stringify(counts))
})
