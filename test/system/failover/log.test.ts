import t from 'tap'
import { Log } from './log.ts'

t.test('a finding gets the error that the server has logged for its request', async (t) => {
  const log = new Log()
  const read = log.reader()
  read('{"level":50,"reqId":"abc-1","err":{"code":"XX000","stack":"Error: what')
  read(' happened"}}\n{"level":40}\nno JSON\n')
  t.equal(log.explain('PATCH: 500, request abc-1'), 'PATCH: 500, request abc-1: XX000 Error: what happened')
  t.equal(log.explain('PATCH: 500, request abc-2'), 'PATCH: 500, request abc-2')
})
