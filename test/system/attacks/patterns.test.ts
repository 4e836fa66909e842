import { checkSync } from 'recheck'
import t from 'tap'
import { build } from '../../support/helper.ts'
import { patterns, reachedByRequests } from './patterns.ts'

const quick = { checker: 'automaton', timeout: 2000 } as const

t.test('no regular expression that a request reaches takes longer than in proportion to its text', async (t) => {
  // Those with long counts are judged by trying, which takes seconds, and end by their length: `npm run torture -- --only attacks` does it for all.
  const all = (await patterns()).filter(({ where, source }) => reachedByRequests(where) && !/\{\d+,\d{2,}\}/.test(source))
  t.ok(all.length > 40)
  for (const { source, flags, where } of all) t.not(checkSync(source, flags, quick).status, 'vulnerable', `${where}: /${source}/${flags}`)
  t.equal(checkSync('^(a+)+$', '', quick).status, 'vulnerable', 'one that does would be found')
})

t.test('an amount of very many zeros is told to be none as fast as any other', async (t) => {
  const director = await (await build(t)).as('director@demo.example')
  const zeros = `${'0'.repeat(900_000)}x` // a quarter of an hour, while leading zeros were looked for from each of them
  const refused = await director.send('PATCH', 'contracts/1/', { monto: zeros })
  t.equal(refused.statusCode, 400)
  t.strictSame(Object.keys(refused.json().errors), ['monto'])
})
