import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { twoServers } from '../../support/two-servers.ts'
import { brokenRules } from '../kernel/rules.ts'
import { resources } from './act.ts'
import { faultsOf } from './checker.ts'
import { makeHistory } from './season.ts'
import { tally } from './tally.ts'

t.test('concurrent reads and writes match a serial order that agrees with time', async (t) => {
  const { origins, psql } = await twoServers(t)
  const { access: token } = await tokensOf(origins[0], 'superusuario@demo.example', demoPassword)

  const seed = Date.now() % 1_000_000
  const history = await makeHistory({ origins, token, psql }, seed, 800)
  t.strictSame(faultsOf(history).slice(0, 5), [], `seed ${seed}`)
  t.strictSame(await brokenRules(psql), [])
  const met = tally(history.acts)
  // Without these kinds of conflict the check proves nothing. Exceeding a contract's amount is left out, since it may not occur in so few acts.
  for (const competed of ['304', '412', 'refused cycle', 'replayed for its key', 'refused line of a sent estimate', 'refused return', ...resources.map(resource => `${resource} written`)]) t.ok((met.get(competed) ?? 0) > 0, competed)
  t.equal(new Set(history.acts.map(({ server }) => server)).size, origins.length)
})
