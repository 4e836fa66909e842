import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { tokensOf } from '../../support/over-http.ts'
import { twoServers } from '../../support/two-servers.ts'
import { brokenRules } from '../kernel/rules.ts'
import { resources, type Act } from './act.ts'
import { faultsOf } from './checker.ts'
import { makeHistory } from './season.ts'
import { tally } from './tally.ts'

/** Kinds of conflicts and writes without which a history proves nothing. Rarer kinds are left out. */
const needed = ['304', '412', 'refused cycle', 'replayed for its key', 'refused line of a sent estimate', 'refused return', ...resources.map(resource => `${resource} written`)]
/** A history ends between these numbers of acts, when each needed kind has occurred. */
const minActs = 800
const maxActs = 2500

t.test('concurrent reads and writes match a serial order that agrees with time', async (t) => {
  const { origins, psql } = await twoServers(t)
  const { access: token } = await tokensOf(origins[0], 'superusuario@demo.example', demoPassword)

  const seed = Date.now() % 1_000_000
  const met = new Map<string, number>()
  let tallied = 0
  const missing = (acts: Act[]) => {
    tally(acts.slice(tallied), met)
    tallied = acts.length
    return needed.filter(kind => !met.has(kind))
  }
  const isEnough = (acts: Act[]) => acts.length >= maxActs || (missing(acts).length === 0 && acts.length >= minActs)
  const history = await makeHistory({ origins, token, psql }, seed, isEnough)
  const told = `seed ${seed}, ${history.acts.length} acts`
  t.strictSame(faultsOf(history).slice(0, 5), [], told)
  t.strictSame(await brokenRules(psql), [], told)
  t.strictSame(missing(history.acts), [], told)
  t.equal(new Set(history.acts.map(({ server }) => server)).size, origins.length)
})
