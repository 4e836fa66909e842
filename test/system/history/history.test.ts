import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { build, secret } from '../../support/helper.ts'
import { tokensOf } from '../../support/over-http.ts'
import { root, startServer } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { brokenRules } from '../torture/integrity.ts'
import { faultsOf } from './checker.ts'
import { season } from './season.ts'
import { tally } from './tally.ts'

t.test('whatever many read and write at once, each is answered as if alone, in an order that is that of time', async (t) => {
  const { app, env, psql } = await build(t, { RATE_LIMIT: 'off' })
  const here = await app.listen({ host: '127.0.0.1', port: 0 })
  // One process alone may open the embedded database.
  const others = server === undefined ? [] : [await startServer(t, { dir: root, dataDir: '', env }, { JWT_SECRET: secret, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' })]
  const { access: token } = await tokensOf(here, 'superusuario@demo.example', demoPassword)
  const origins = [here, ...others.map(({ origin }) => origin)]

  const seed = Date.now() % 1_000_000
  const history = await season({ origins, token, psql }, seed, 600)
  t.strictSame(faultsOf(history).slice(0, 5), [], `seed ${seed}`)
  t.strictSame(await brokenRules(psql), [])
  const met = tally(history.acts)
  // Nothing of it would be found by actors who never meet. That more than a contract is for is refused is left out: among so few acts chance may bring none.
  for (const competed of ['304', '412', 'refused a circle', 'answered from its key']) t.ok((met.get(competed) ?? 0) > 0, competed)
  t.equal(new Set(history.acts.map(({ server }) => server)).size, origins.length)
})
