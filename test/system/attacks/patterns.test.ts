import { checkSync } from 'recheck'
import t from 'tap'
import { build } from '../../support/helper.ts'
import { patterns, reachedByRequests } from './patterns.ts'

const quick = { checker: 'automaton', timeout: 2000 } as const

t.test('every regular expression that a request reaches takes linear time', async (t) => {
  // Patterns with large counts take seconds to check: `npm run torture -- --only attacks` checks them too.
  const all = (await patterns()).filter(({ where, source }) => reachedByRequests(where) && !/\{\d+,\d{2,}\}/.test(source))
  t.ok(all.length > 40)
  for (const { source, flags, where } of all) t.not(checkSync(source, flags, quick).status, 'vulnerable', `${where}: /${source}/${flags}`)
  t.equal(checkSync('^(a+)+$', '', quick).status, 'vulnerable', 'a pattern with exponential time is detected')
})

t.test('an invalid amount with 900,000 zeros is 400', async (t) => {
  const director = await (await build(t)).as('director@demo.example')
  const zeros = `${'0'.repeat(900_000)}x` // quadratic time would take 15 minutes
  const refused = await director.send('PATCH', 'contracts/1/', { monto: zeros })
  t.equal(refused.statusCode, 400)
  t.strictSame(Object.keys(refused.json().errors), ['monto'])
})
