import t from 'tap'
import { demoPlace } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { trial } from './trial.ts'

t.test('whatever fails, each file that is ready has its bytes, and nothing stays that nobody removes', async (t) => {
  const seed = Date.now() % 1_000_000
  // An embedded database has one server, whose kills other tests of uploads show.
  const kills = server === undefined ? 0 : 2
  const { faults, counts } = await trial(await demoPlace(t), { seed, files: 24, kills })
  t.strictSame(faults, [], `seed ${seed}`)
  t.equal(counts['files'], 24)
  t.ok((counts['cut requests'] ?? 0) > 0 && (counts['lost answers'] ?? 0) > 0, JSON.stringify(counts))
})
