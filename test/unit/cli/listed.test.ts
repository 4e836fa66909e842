import t from 'tap'
import { listed } from '../../../src/cli/listed.ts'

t.test('a list of names has the first five, and the number of the others', async (t) => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  t.equal(listed(names), 'a, b, c, d, e and 2 more')
  t.equal(listed(names.slice(0, 6)), 'a, b, c, d, e and 1 more')
  t.equal(listed(names.slice(0, 5)), 'a, b, c, d, e')
  t.equal(listed(['a']), 'a')
})
