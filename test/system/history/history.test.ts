import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { twoServers } from '../../support/two-servers.ts'
import { brokenRules } from '../kernel/rules.ts'
import { resources, type Act } from './act.ts'
import { faultsOf } from './checker.ts'
import { makeHistory } from './season.ts'
import { tally } from './tally.ts'

/** Without these kinds of conflict a history proves nothing. Exceeding a contract's amount is left out, since it occurs in few acts. */
const needed = ['304', '412', 'refused cycle', 'replayed for its key', 'refused line of a sent estimate', 'refused return', ...resources.map(resource => `${resource} written`)]
/** Acts of a history, which goes on while a needed kind of conflict has not occurred. */
const [least, most] = [800, 5000]

t.test('concurrent reads and writes match a serial order that agrees with time', async (t) => {
  const { origins, psql } = await twoServers(t)
  const { access: token } = await tokensOf(origins[0], 'superusuario@demo.example', demoPassword)

  const seed = Date.now() % 1_000_000
  const missing = (acts: Act[]) => {
    const met = tally(acts)
    return needed.filter(kind => !met.has(kind))
  }
  const history = await makeHistory({ origins, token, psql }, seed, acts => acts.length >= most || (acts.length >= least && missing(acts).length === 0))
  t.strictSame(faultsOf(history).slice(0, 5), [], `seed ${seed}`)
  t.strictSame(await brokenRules(psql), [])
  t.strictSame(missing(history.acts), [])
  t.equal(new Set(history.acts.map(({ server }) => server)).size, origins.length)
})
