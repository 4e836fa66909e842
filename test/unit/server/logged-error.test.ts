import t from 'tap'
import { loggedError } from '../../../src/server/logged-error.ts'

t.test('an error is logged with its type and stack, without the data of its statement', async (t) => {
  const error = Object.assign(new Error('violates "never"\n - detail: Failing row contains (1, secret\nof two lines).'), { name: 'CheckConstraintViolationException', code: '23514', query: 'insert … secret', params: ['secret'], detail: 'secret' })
  const logged = loggedError(error)
  t.match(logged, { type: 'CheckConstraintViolationException', message: 'violates "never"', code: '23514', cause: undefined })
  t.match(logged.stack, /violates "never"\n {4}at /)
  t.notMatch(JSON.stringify(logged), 'secret')
})

t.test('the cause is logged if it is an error', async (t) => {
  t.match(loggedError(new Error('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }) })), { type: 'Error', message: 'outer', cause: { message: 'inner', code: 'ECONNREFUSED' } })
  t.equal(loggedError(new Error('outer', { cause: 'text' })).cause, undefined)
  t.equal(loggedError(Object.assign(new Error('bare'), { stack: undefined })).stack, '')
})
