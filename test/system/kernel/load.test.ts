import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { exchangeOver } from './client.ts'
import { underLoad, type LoadOptions } from './load.ts'

/**
 * Runs a load against a server with this handler.
 * @param patience in ms
 * @returns the findings, and whether the trial continued after waiting for a write
 */
async function run (t: Test, answer: RequestListener, patience: number): Promise<{ bad: string[], continued: boolean }> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  let continued = false
  const exchange = (random: () => number) => exchangeOver([`http://127.0.0.1:${port}`], random)
  const look: LoadOptions['look'] = async work => await work(async text => text.includes('idempotency_keys') ? [{ key: 'k' }] : [])
  const { bad } = await underLoad({ exchange, tokens: ['token'], patience, seed: 1, mayLose: true, look }, async ({ written }) => {
    await written(1)
    continued = true
  })
  return { bad, continued }
}

t.test('a trial of a server that answers 500 to every request ends and reports it', async (t) => {
  const { bad, continued } = await run(t, (_request, response) => response.writeHead(500).end('{}'), 60_000)
  t.match(bad, ['every actor has stopped', / GET me\/: 500 \{\}/, /^broken rule: an Idempotency-Key has one answer/])
  t.equal(continued, false, 'the fault is not injected')
})

t.test('a trial of a server that answers nothing, as if its process were gone, ends and reports it', async (t) => {
  const { bad, continued } = await run(t, request => request.socket.destroy(), 200)
  t.equal(bad[0], 'nothing was acknowledged for 200 ms')
  t.equal(continued, false)
})
