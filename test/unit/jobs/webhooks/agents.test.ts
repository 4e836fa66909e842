import { once } from 'node:events'
import { get } from 'node:http'
import { get as secureGet } from 'node:https'
import t from 'tap'
import { openAgents } from '../../../../src/jobs/webhooks/agents.ts'
import { publicLookup } from '../../../../src/jobs/webhooks/lookup.ts'
import { httpReceiver } from '../../../support/receiver.ts'

t.test('at most 64 connections stay idle, over all receivers', async (t) => {
  const answers: Array<() => void> = []
  const { port, connections } = await httpReceiver(t, (_request, response) => {
    answers.push(() => response.end())
    if (answers.length === 100) for (const answer of answers) answer()
  })
  const agents = openAgents(publicLookup(async () => []))
  t.teardown(() => agents.close())
  const agent = agents.of(new URL('http://localhost/'), true)
  const freed = Promise.withResolvers<void>()
  let released = 0
  // The agent decides in its own listener, which comes first.
  agent.on('free', () => { if (++released === 100) freed.resolve() })
  for (let index = 0; index < 100; index++) get(`http://r${index % 50}.localhost:${port}/`, { agent }, response => response.resume())
  await freed.promise
  t.equal(connections.length, 100)
  t.equal(Object.values(agent.freeSockets).flat().length, 64)
})

t.test('the agents themselves refuse addresses that are not public, except loopback for loopback', async (t) => {
  const agents = openAgents((_name, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }]))
  t.teardown(() => agents.close())
  for (const kept of [true, false]) {
    const agent = agents.of(new URL('https://receiver.example/'), kept)
    for (const host of ['10.0.0.1', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254', '[fe80::1]', '0.0.0.0', 'receiver.example']) {
      const [error] = await once(secureGet(`https://${host}:1/`, { agent }), 'error').catch(error => [error])
      t.match(error, { message: /is not allowed/ }, host)
    }
    const loopback = agents.of(new URL('http://127.0.0.1/'), kept)
    for (const host of ['10.0.0.1', '[::ffff:127.0.0.1]', '169.254.169.254', '0.0.0.0', 'receiver.localhost']) {
      const [error] = await once(get(`http://${host}:1/`, { agent: loopback }), 'error').catch(error => [error])
      t.match(error, { message: /is not allowed/ }, host)
    }
  }
})
