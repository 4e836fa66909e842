import t from 'tap'
import { demoPlace, nodeOptions } from '../../support/process.ts'
import { logIn, looking, server } from './places.ts'
import { killing } from './kill.ts'
import { total } from './trial.ts'

t.test('a server killed at any moment of a write load loses no acknowledged write and repeats none', async (t) => {
  const place = await demoPlace(t)
  await using subject = await server(place, nodeOptions)
  const tokens = await logIn(subject.origin)

  const { tally, lost } = await killing(subject, tokens, 2, 1, async work => {
    await subject.kill()
    return await looking(place, work)
  })
  t.strictSame(lost, [])
  t.ok(tally.unanswered > 0, 'requests were cut off')
  t.ok(total(tally) >= 60, JSON.stringify([...tally.acknowledged]))
})
