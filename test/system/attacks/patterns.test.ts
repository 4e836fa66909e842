import { checkSync } from 'recheck'
import t from 'tap'
import { patterns, reachedByRequests } from './patterns.ts'

const quick = { checker: 'automaton', timeout: 2000 } as const

t.test('every regular expression that a request reaches takes linear time', async (t) => {
  // Patterns with large counts take seconds to check: `npm run torture -- --only attacks` checks them too.
  const all = (await patterns()).filter(({ where, source }) => reachedByRequests(where) && !/\{\d+,\d{2,}\}/.test(source))
  t.ok(all.length > 40)
  for (const { source, flags, where } of all) t.not(checkSync(source, flags, quick).status, 'vulnerable', `${where}: /${source}/${flags}`)
  t.equal(checkSync('^(a+)+$', '', quick).status, 'vulnerable', 'a pattern with exponential time is detected')
})
