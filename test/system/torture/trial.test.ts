import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { trial } from './trial.ts'

/** Runs a trial against a server with this handler. @param patience longest time without a write, in ms @returns the failures, and whether the trial continued after waiting for a write */
async function runTrial (t: Test, answer: RequestListener, patience: number): Promise<{ lost: string[], continued: boolean }> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  let continued = false
  const { lost } = await trial({ origin: () => `http://127.0.0.1:${port}`, tokens: ['token'], patience, seed: 1 }, 2, async (written) => {
    await written(1)
    continued = true
  }, async work => await work(async () => []))
  return { lost, continued }
}

t.test('a trial of a server that answers 500 to every request ends and reports it', async (t) => {
  const { lost, continued } = await runTrial(t, (_request, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'), 60_000)
  t.match(lost, ['every writer has stopped', /: 500 \{\}$/, /: 500 \{\}$/])
  t.equal(continued, false, 'the fault is not injected')
})

t.test('a trial of a server that answers nothing, as if its process were gone, ends and reports it', async (t) => {
  const { lost, continued } = await runTrial(t, request => request.socket.destroy(), 200)
  t.equal(lost[0], 'no write was acknowledged for 200 ms')
  t.equal(continued, false)
})
