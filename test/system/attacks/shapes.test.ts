import t from 'tap'
import { resources } from '../../../src/domain/resources.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import { atOnce } from '../../support/at-once.ts'
import { build } from '../../support/helper.ts'
import { bodyTargets, mutationsOf, shaped, shapes } from './shapes.ts'

const { as, psql } = await build(t, { RATE_LIMIT: 'off', LOGIN_ATTEMPTS_PER_ADDRESS: 1_000_000 })
const root = await as('superusuario@demo.example')
const enter = async () => await root.send('PATCH', 'me/', { company: 1 })
await enter()
const [{ id: user }] = await psql("select id from users where email = 'auxiliar@demo.example'") as [{ id: number }]
const headers = { 'content-type': 'application/json' }
const targets = bodyTargets(await describeService(), user)

t.test('no JSON of any shape is answered with 5xx: bodies, fields and items of all routes', async (t) => {
  t.ok(targets.length > 20, `${targets.length} routes`)
  const found: string[] = []
  for (const target of targets) {
    for (const shape of shapes) {
      const bodies = shaped(target, shape, { folio: '"F"', nombre: '"N"', contract: '1', op: '"create"', resource: '"contracts"', id: '1' })
      for (const [body, response] of await atOnce(bodies, async body => await root.send(target.method, target.url, body, headers))) {
        // Without a key, no webhook can be made.
        const isRight = response.statusCode < 500 || (target.url.startsWith('webhooks/') && response.statusCode === 503)
        if (!isRight) found.push(`${target.method} ${target.url} ${body.slice(0, 200)}: ${response.statusCode} ${response.body.slice(0, 200)}`)
      }
    }
    if (target.url === 'me/') t.equal((await enter()).statusCode, 200)
  }
  t.strictSame(found, [])
})

t.test('nor in the fields of mutations, and the queue of the device goes on', async (t) => {
  for (const { name, schemas } of resources) {
    for (const shape of shapes) {
      const response = await root.send('POST', 'mutations/', mutationsOf(name, Object.keys(schemas.create.properties), shape), headers)
      t.ok([200, 400, 413].includes(response.statusCode), `${name} ${shape.slice(0, 40)}: ${response.statusCode} ${response.body.slice(0, 300)}`)
    }
  }
  const device = '7a1c0d0e-6f0e-4f5a-9d3a-7d0a5f6f2b11'
  for (const body of [
    `{"device":"${device}","mutations":[{"id":1,"op":{"toString":1},"resource":"contracts"}]}`,
    `{"device":"${device}","mutations":[{"id":{"toString":1},"op":"delete","resource":{"toString":1},"record":{"ref":["c1"]}}]}`
  ]) t.equal((await root.send('POST', 'mutations/', body, headers)).statusCode, 400, body)
  const { results } = (await root.send('POST', 'mutations/', `{"device":"${device}","mutations":[
    {"id":1,"op":"create","resource":"contracts","ref":"c1","body":{"folio":"SHAPE-1","parent":{"ref":["c1"]}}},
    {"id":2,"op":"update","resource":"contracts","record":1,"body":{"parent":{"ref":{"toString":1}}},"base":{"parent":{"ref":["c1"]}}},
    {"id":3,"op":"create","resource":"contracts","body":{"folio":"SHAPE-2"}}]}`, headers)).json()
  t.match(results, [{ id: 1, status: 400, codes: { parent: ['incorrect_type'] } }, { id: 2, status: 400, codes: { 'base.parent': ['incorrect_type'] } }, { id: 3, status: 201 }])
})
