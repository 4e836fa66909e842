import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonOf, send } from '../../../support/trial/http.ts'
import { opened, raw, sender } from './attack-requests.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

/** Streams that the attacker tries to open. */
const streams = 5000

/** Webhooks of the attacker. */
const webhooks = 100

// Receivers on this machine are refused in production.
const env = { NODE_ENV: 'development' }

/** A receiver of webhooks on this machine. @param answers whether it ever answers */
async function receiver (answers: boolean): Promise<Server & AsyncDisposable> {
  const server = createServer((request, response) => {
    request.resume()
    if (answers) response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Creates webhooks to one receiver, each at a path of its own. @returns their ids */
async function createWebhooks (origin: string, token: string, { port }: AddressInfo, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let number = 0; number < count; number++) {
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/${number}` })
    const answer = await send(origin, { method: 'POST', path: '/api/v1/webhooks/', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body })
    if (answer.status === 201) ids.push(jsonOf(answer).id)
  }
  return ids
}

async function deleteWebhooks (origin: string, token: string, ids: number[]): Promise<void> {
  for (const id of ids) await send(origin, { method: 'DELETE', path: `/api/v1/webhooks/${id}/`, headers: { authorization: `Bearer ${token}` } })
}

function close (server: Server): void {
  server.closeAllConnections()
  server.close()
}

/** A user of another customer tests a webhook and is answered. */
async function othersCanTest ({ origin, others: [other] }: AttackTarget): Promise<string[]> {
  const server = await receiver(true)
  const { token } = other
  const ids = await createWebhooks(origin, token, server.address() as AddressInfo, 1)
  const answer = await send(origin, { method: 'POST', path: `/api/v1/webhooks/${ids[0]}/test/`, headers: { authorization: `Bearer ${token}` } })
  await deleteWebhooks(origin, token, ids)
  close(server)
  return answer.status === 200 ? [] : [`another customer's test of a webhook was answered by ${answer.status}`]
}

/** Attacks with requests and deliveries that wait. */
export const streamAttacks: readonly Attack[] = [
  {
    name: 'streams',
    about: `${streams} streams of revisions, and 4 writes a second to their company`,
    lead: 20,
    async run ({ origin, tokens }, ending) {
      const sockets: Array<Awaited<ReturnType<typeof opened>>> = []
      const write = sender(origin, 10)
      let writes = 0
      while (!ending.aborted) {
        for (let count = 0; count < 100 && sockets.length < streams; count++) {
          const socket = await opened(origin)
          socket.resume().write(raw('changes/events/', tokens[sockets.length % tokens.length]).replace('Host', 'Accept: text/event-stream\r\nHost'))
          sockets.push(socket)
        }
        write({ path: 'contracts/', token: tokens[0], body: JSON.stringify({ folio: `S-${process.hrtime.bigint()}` }) })
        writes++
        await sleep(250)
      }
      for (const socket of sockets) socket.destroy()
      return sockets.length + writes
    }
  },
  {
    name: 'webhooks-to-one-host',
    about: `${webhooks} webhooks to one receiver, and bulks of 1,000`,
    lead: 5,
    env,
    async run ({ origin, tokens: [token] }, ending) {
      const server = await receiver(true)
      const ids = await createWebhooks(origin, token, server.address() as AddressInfo, webhooks)
      const bulk = sender(origin, 1)
      let sent = 0
      while (!ending.aborted && sent < 3) {
        const items = Array.from({ length: 1000 }, (_, item) => ({ folio: `H-${process.hrtime.bigint()}-${item}` }))
        await bulk({ path: 'contracts/bulk/', token, body: JSON.stringify({ items }) })
        sent++
      }
      while (!ending.aborted) await sleep(50)
      await deleteWebhooks(origin, token, ids)
      close(server)
      return sent
    }
  },
  {
    name: 'silent-tests',
    about: 'tests of webhooks whose receiver never answers, 40 connections',
    lead: 5,
    env,
    async run ({ origin, tokens: [token] }, ending) {
      const server = await receiver(false)
      const ids = await createWebhooks(origin, token, server.address() as AddressInfo, 20)
      const test = sender(origin, 40)
      let sent = 0
      for (let slot = 0; slot < 40; slot++) {
        (async () => {
          while (!ending.aborted) {
            await test({ path: `webhooks/${ids[sent++ % ids.length]}/test/`, token, body: '{}' })
            await sleep(50)
          }
        })()
      }
      while (!ending.aborted) await sleep(50)
      await deleteWebhooks(origin, token, ids)
      return sent
    },
    check: othersCanTest
  }
]
