import t from 'tap'
import { describeService } from '../../../src/server/describe-service.ts'
import { build } from '../../support/helper.ts'
import { plantVictim } from '../walls/victim.ts'
import { gather } from './loot.ts'
import { attacksOf } from './tenants.ts'
import { breach, trace, walls } from './walls.ts'

t.test('no answer distinguishes another tenant’s record from an absent one, with any wall removed', async (t) => {
  const server = await build(t)
  const victim = await plantVictim(server)
  const loot = await gather(server, victim)
  const document = await describeService()
  const attacks = attacksOf(document, loot)
  const clients = { business: await server.as('director@demo.example'), accounts: await server.as('corporativo@demo.example') }
  const before = await trace(server)
  // Each attack runs with one of the wall states. `npm run torture -- --only attacks` runs all attacks with all of them.
  for (const [round, [name, take]] of Object.entries(walls).entries()) {
    const restore = await take(server)
    const selected = attacks.filter((_, index) => index % Object.keys(walls).length === round)
    t.ok(selected.length > 40, String(selected.length))
    for (const attack of selected) t.equal(await breach(server, clients, attack), undefined, `${name}: ${attack.what}`)
    await restore()
  }
  t.strictSame(await trace(server), before, 'the other tenant has not changed')

  for (const take of Object.values(walls)) await take(server)
  const [shown] = attacks.filter(({ what }) => what.startsWith('GET contracts/{id}/ by address'))
  t.match(await breach(server, clients, shown), /"statusCode":500.* is not .*"statusCode":404/, 'without the walls the statement fails, which the comparison detects')
})

t.test('a new parameter, field or header without an attack is an error', async (t) => {
  const loot = { ids: {}, names: {}, own: {}, body: () => ({}) }
  const unclassified = { message: /obra$/i }
  const operation = { get: { parameters: [{ in: 'query', name: 'obra' }] } }
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': operation } } as never, loot), unclassified)
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': { get: { parameters: [{ in: 'header', name: 'X-Obra' }] } } } } as never, loot), unclassified)
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': { post: { requestBody: { content: { 'application/json': { schema: { properties: { obra: {} } } } } } } } } } as never, loot), unclassified)
})
