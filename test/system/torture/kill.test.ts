import t from 'tap'
import { demoPlace, nodeOptions } from '../../support/process.ts'
import { sum } from '../kernel/report.ts'
import { kill } from './kill.ts'

t.test('a server killed at any moment of a load loses no acknowledged write, repeats none, and answers no read from before one', async (t) => {
  const { report, bad } = await kill(await demoPlace(t), 2, 1, nodeOptions)
  t.strictSame(bad, [])
  t.ok(report.unanswered > 0, 'requests were cut off')
  t.ok(sum(report.writes) >= 60, JSON.stringify([...report.writes]))
})
