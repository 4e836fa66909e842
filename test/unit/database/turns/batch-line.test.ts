import fc from 'fast-check'
import t from 'tap'
import { WaitingLine, type Waiting } from '../../../../src/database/turns/batch.ts'

interface One extends Waiting { key: string, id: number }

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), key: fc.constantFrom('a', 'b', 'c', 'd'), cost: fc.integer({ min: 0, max: 12 }), deadline: fc.integer({ min: 0, max: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), most: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('overdue' as const), now: fc.integer({ min: 0, max: 30 }) }) }
)

t.test('a batch has each key’s share, in the order of deadlines; keys take turns, and no request is lost', async (t) => {
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 15 }), (steps, share) => {
    const line = new WaitingLine<One>(share)
    let model: One[] = []
    /** Keys in the order of their turns. */
    let turns: string[] = []
    let ids = 0
    const check = (holds: boolean, what: string) => { if (!holds) throw new Error(what) }
    const of = (key: string) => model.filter(one => one.key === key).sort((a, b) => a.deadline - b.deadline || a.id - b.id)

    for (const one of steps) {
      if (one.do === 'add') {
        const added = { ...one, id: ids++, since: ids }
        line.add(added)
        model.push(added)
        if (!turns.includes(one.key)) turns.push(one.key)
      } else if (one.do === 'take') {
        const taken = line.take(one.most)
        const expected: One[] = []
        const served: string[] = []
        for (const key of turns) {
          if (expected.length >= one.most) break
          served.push(key)
          let left = share
          for (const [index, { cost }] of of(key).entries()) {
            if (expected.length >= one.most || (index > 0 && cost > left)) break
            left -= cost
            expected.push(of(key)[index])
          }
        }
        check(JSON.stringify(taken) === JSON.stringify(expected), `${JSON.stringify(taken)}, not ${JSON.stringify(expected)}`)
        model = model.filter(waiting => !taken.includes(waiting))
        turns = [...turns.filter(key => !served.includes(key)), ...served].filter(key => of(key).length > 0)
      } else {
        const overdue = line.takeOverdue(one.now)
        check(overdue.every(({ deadline }) => deadline <= one.now), 'only overdue ones')
        model = model.filter(waiting => !overdue.includes(waiting))
        check(model.every(({ deadline }) => deadline > one.now), 'all overdue ones')
        turns = turns.filter(key => of(key).length > 0)
      }
      check(line.size === model.length, 'the size')
      check(line.earliest <= Math.min(...model.map(({ deadline }) => deadline)), 'no deadline is before the earliest')
      for (const key of ['a', 'b', 'c', 'd']) check(line.waitingSince(key) === of(key)[0]?.since, 'the first of each key')
    }
  }), { numRuns: 500 })
  t.pass('share, order, turns and deadlines hold')
})
