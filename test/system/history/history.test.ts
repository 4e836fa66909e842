import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { build, secret } from '../../support/helper.ts'
import { tokensOf } from '../../support/over-http.ts'
import { root, startServer } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { brokenRules } from '../kernel/rules.ts'
import { faultsOf } from './checker.ts'
import { makeHistory } from './season.ts'
import { tally } from './tally.ts'

t.test('concurrent reads and writes match a serial order that agrees with time', async (t) => {
  const { app, env, psql } = await build(t, { RATE_LIMIT: 'off' })
  const here = await app.listen({ host: '127.0.0.1', port: 0 })
  // Only one process can open the embedded database.
  const others = server === undefined ? [] : [await startServer(t, { dir: root, dataDir: '', env }, { JWT_SECRET: secret, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' })]
  const { access: token } = await tokensOf(here, 'superusuario@demo.example', demoPassword)
  const origins = [here, ...others.map(({ origin }) => origin)]

  const seed = Date.now() % 1_000_000
  const history = await makeHistory({ origins, token, psql }, seed, 600)
  t.strictSame(faultsOf(history).slice(0, 5), [], `seed ${seed}`)
  t.strictSame(await brokenRules(psql), [])
  const met = tally(history.acts)
  // Without these kinds of conflict the check proves nothing. Exceeding a contract's amount is left out, since it may not occur in so few acts.
  for (const competed of ['304', '412', 'refused cycle', 'replayed for its key']) t.ok((met.get(competed) ?? 0) > 0, competed)
  t.equal(new Set(history.acts.map(({ server }) => server)).size, origins.length)
})
