import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { emptyPlace } from '../../support/process.ts'
import { server } from '../../support/template.ts'
import { Balancer } from './balancer.ts'
import { session } from './clients.ts'
import { checkOut, previousCommit, thisRelease, withoutHistory } from './releases.ts'
import { upgrade } from './trial.ts'

const skip = server === undefined ? 'only one process can open the embedded database' : withoutHistory() ?? false

t.test('two releases serve one database during a migration, without a 5xx or a wrong answer', { skip }, async (t) => {
  const { dir, env } = await emptyPlace(t)
  const old = await checkOut(previousCommit(), join(dir, 'old'))
  t.ok(old.migration < thisRelease.migration)

  const { phases, counts, faults } = await upgrade({ url: env['DATABASE_URL'], dir, old, seed: 1, seconds: 1, contracts: 200, held: 1 })
  t.strictSame(faults, [])
  const releasesIn = (name: string) => [...new Set([...phases.find(phase => phase.name === name)?.answers.keys() ?? []].map(outcome => outcome.split(' ')[0]))].sort()
  t.strictSame(releasesIn('migration, two old servers'), ['old'])
  for (const mixed of ['two old servers, one new', 'one old server, one new', 'one old server, two new']) t.strictSame(releasesIn(mixed), ['new', 'old'], mixed)
  for (const [name, count] of Object.entries(counts)) t.ok(count > 0, name)
})

t.test('a 503, a missing answer and a wrong answer are faults', async (t) => {
  let answer: 'fails' | 'closes' | 'is wrong' = 'fails'
  const broken = createServer((request, response) => {
    if (answer === 'closes') request.socket.destroy()
    else response.writeHead(answer === 'fails' ? 503 : 200).end('{"id":1,"descripcion":"lost"}')
  }).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  t.teardown(() => broken.close())
  const balancer = new Balancer()
  balancer.route({ release: thisRelease, origin: `http://127.0.0.1:${(broken.address() as AddressInfo).port}`, stop: async () => 0, async [Symbol.asyncDispose] () {} })
  balancer.begin('broken')

  await t.rejects(session(balancer, 'nobody@example.mx').step(), { message: /^log-in: 503/ })
  answer = 'closes'
  await t.rejects(session(balancer, 'nobody@example.mx').step(), { message: 'fetch failed' })
  answer = 'is wrong'
  await t.rejects(session(balancer, 'nobody@example.mx').step(), { message: /^me: 200/ })
  t.match(balancer.faults, [/^broken: this POST .*: 503 after \d+ ms$/, /^broken: this POST .*: no answer/])
  t.equal(balancer.faults.length, 2)
  t.strictSame([...balancer.phases[0]?.answers.keys() ?? []].slice(0, 2), ['new 503', 'new no answer'])
})
