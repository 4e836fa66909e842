import t from 'tap'
import { awaited } from '../../../../src/database/connection/awaited.ts'

const refused = () => new Error('cannot be used', { cause: Object.assign(new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })])) })
const starting = () => new Error('cannot be used', { cause: Object.assign(new Error('the database system is starting up'), { code: '57P03' }) })
const unknown = () => new Error('cannot be used', { cause: Object.assign(new Error('no such database'), { code: '3D000' }) })

/** An opening that fails with these errors, then succeeds. */
function opening (...failures: Error[]) {
  return async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return 'open'
  }
}

t.test('an unreachable database is retried until it answers, with one log line', async (t) => {
  const logged: string[] = []
  t.equal(await awaited(opening(refused(), starting()), 10_000, ({ message }) => logged.push(message)), 'open')
  t.strictSame(logged, ['cannot be used'])
})

t.test('an error that waiting cannot fix is thrown immediately', async (t) => {
  const wrong = unknown()
  await t.rejects(awaited(opening(wrong), 10_000, () => t.fail('it waits')), wrong)
})

t.test('the wait is limited', async (t) => {
  const last = refused()
  await t.rejects(awaited(opening(last, refused()), 0, () => t.fail('it waits')), last)
})
