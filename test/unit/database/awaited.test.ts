import t from 'tap'
import { awaited } from '../../../src/database/awaited.ts'

const refused = () => new Error('cannot be used', { cause: Object.assign(new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })])) })
const starting = () => new Error('cannot be used', { cause: Object.assign(new Error('the database system is starting up'), { code: '57P03' }) })
const unknown = () => new Error('cannot be used', { cause: Object.assign(new Error('no such database'), { code: '3D000' }) })

/** An opening that fails as told, then succeeds. */
function opening (...failures: Error[]) {
  return async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return 'open'
  }
}

t.test('a database that is not there yet is tried again until it is, and the wait is told once', async (t) => {
  const told: string[] = []
  t.equal(await awaited(opening(refused(), starting()), 10_000, ({ message }) => told.push(message)), 'open')
  t.strictSame(told, ['cannot be used'])
})

t.test('what waiting does not mend is thrown at once', async (t) => {
  const wrong = unknown()
  await t.rejects(awaited(opening(wrong), 10_000, () => t.fail('it waits')), wrong)
})

t.test('the wait has an end', async (t) => {
  const last = refused()
  await t.rejects(awaited(opening(last, refused()), 0, () => t.fail('it waits')), last)
})
