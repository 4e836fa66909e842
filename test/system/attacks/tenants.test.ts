import t from 'tap'
import { describeService } from '../../../src/server/openapi/service.ts'
import { build } from '../../support/helper.ts'
import { plantVictim } from '../walls/victim.ts'
import { gather } from './loot.ts'
import { attacksOf, type Attack } from './tenants.ts'
import { breach, trace, walls } from './walls.ts'

t.test('no request tells another tenant’s records from nobody’s, whichever wall is down', async (t) => {
  const server = await build(t)
  const victim = await plantVictim(server)
  const loot = await gather(server, victim)
  const document = await describeService()
  const attacks = attacksOf(document, loot)
  const clients = { business: await server.as('director@demo.example'), accounts: await server.as('corporativo@demo.example') }
  const before = await trace(server)
  // Every second attack meets one of the walls' states here; all meet all of them by `npm run torture -- --only attacks`.
  for (const [round, [name, take]] of Object.entries(walls).entries()) {
    const restore = await take(server)
    const dealt = attacks.filter((_, index) => index % (2 * Object.keys(walls).length) === round)
    t.ok(dealt.length > 40, String(dealt.length))
    for (const attack of dealt) t.equal(await breach(server, clients, attack), undefined, `${name}: ${attack.what}`)
    await restore()
  }
  t.strictSame(await trace(server), before, 'the other tenant is as it was')

  for (const take of Object.values(walls)) await take(server)
  const [shown] = attacks.filter(({ what }) => what.startsWith('GET contracts/{id}/ by address'))
  t.match(await breach(server, clients, shown as Attack), /"statusCode":500.* is not .*"statusCode":404/, 'with both walls down the attack meets the third, which answers nothing, and would be seen')
})

t.test('a new parameter, field or header that no attack is made for is missed', async (t) => {
  const loot = { ids: {}, names: {}, own: {}, body: () => ({}) }
  const unjudged = { message: /obra$/i }
  const operation = { get: { parameters: [{ in: 'query', name: 'obra' }] } }
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': operation } } as never, loot), unjudged)
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': { get: { parameters: [{ in: 'header', name: 'X-Obra' }] } } } } as never, loot), unjudged)
  t.throws(() => attacksOf({ paths: { '/api/v1/contracts/': { post: { requestBody: { content: { 'application/json': { schema: { properties: { obra: {} } } } } } } } } } as never, loot), unjudged)
})
