import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { trial } from './trial.ts'

/** What a trial of a server that answers like this finds, and whether it went on after it had waited for a write. */
async function tried (t: Test, answer: RequestListener): Promise<{ lost: string[], wentOn: boolean }> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  let wentOn = false
  const { lost } = await trial({ origin: () => `http://127.0.0.1:${port}`, tokens: ['token'], patience: 200, seed: 1 }, 2, async (written) => {
    await written(1)
    wentOn = true
  }, async work => await work(async () => []))
  return { lost, wentOn }
}

t.test('a server that answers every request by 500 ends a trial, which tells of it', async (t) => {
  const { lost, wentOn } = await tried(t, (_request, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'))
  t.match(lost, ['every writer has stopped', /: 500 \{\}$/, /: 500 \{\}$/])
  t.equal(wentOn, false, 'what was to be done next is not')
})

t.test('so does one that answers nothing, as if its process were gone', async (t) => {
  const { lost, wentOn } = await tried(t, request => request.socket.destroy())
  t.equal(lost[0], 'no write was acknowledged for 200 ms')
  t.equal(wentOn, false)
})
