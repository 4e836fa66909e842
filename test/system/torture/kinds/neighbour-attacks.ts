import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { jsonOf, send } from '../../../support/trial/http.ts'
import { every, holding, opened, raw, repeat, sender } from './attack-requests.ts'
import { documentAttacks } from './attacks-documents.ts'
import { estimateAttacks } from './attacks-estimates.ts'
import { headerAttacks } from './attacks-headers.ts'
import { inputAttacks } from './attacks-input.ts'
import { streamAttacks } from './attacks-streams.ts'
import { unitAttacks } from './attacks-units.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

/** A JSON object of 120,000 keys, a little less than 1 MiB. */
const manyKeys = () => `{${Array.from({ length: 120_000 }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`

const newContract = (index: number) => JSON.stringify({ folio: `N-${process.hrtime.bigint()}-${index}` })

/** The owner of a stolen token logs in and is answered. */
async function ownerIsServed ({ origin, email }: AttackTarget): Promise<string[]> {
  const body = JSON.stringify({ email, password: demoPassword })
  const answer = await send(origin, { method: 'POST', path: '/api/v1/api-token-auth/', headers: { 'content-type': 'application/json' }, body })
  if (answer.status !== 200) return [`the owner's log-in was answered by ${answer.status}`]
  const { status } = await send(origin, { path: '/api/v1/contracts/', headers: { authorization: `Bearer ${jsonOf(answer).access}` } })
  return status === 200 ? [] : [`the owner's request was answered by ${status}`]
}

/** All attacks, in the order in which they run. */
export const neighbourAttacks: readonly Attack[] = [
  {
    name: 'large-body',
    about: 'bodies of 120,000 unknown keys without a token, 2 connections',
    async run ({ origin }, ending) {
      const body = manyKeys()
      return await repeat(origin, 2, ending, () => ({ path: 'api-token-auth/', body }))
    }
  },
  {
    name: 'large-body-logged-in',
    about: 'the same bodies to contracts/, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = manyKeys()
      return await repeat(origin, 2, ending, () => ({ path: 'contracts/', token, body }))
    }
  },
  {
    name: 'disconnects',
    about: '3,000 clients that disconnect before the answer, then 40 busy connections',
    lead: 6,
    async run ({ origin, tokens }, ending) {
      for (let gone = 0; gone < 3000; gone += 100) {
        await Promise.all(Array.from({ length: 100 }, async (_, index) => {
          const socket = await opened(origin)
          socket.write(raw(`contracts/?page_size=200&search=x${gone + index}`, tokens[0]))
          await sleep(1)
          socket.destroy()
        }))
      }
      return 3000 + await repeat(origin, 40, ending, index => ({ path: `contracts/?page_size=200&page=${index % 50 + 1}`, token: tokens[index % tokens.length] }))
    }
  },
  {
    name: 'lock',
    about: "one company's lock held by another database session, a create there every 40 ms",
    // The lock timeout of PostgreSQL: after it the number of waiting writes no longer grows.
    lead: 11,
    run: async ({ origin, databaseUrl, company, tokens: [token] }, ending) => await holding(databaseUrl, [company],
      async () => await every(40, origin, ending, index => ({ path: 'contracts/', token, body: newContract(index) })))
  },
  {
    name: 'locks',
    about: 'the locks of ten companies held, creates and bulks to each every 40 ms',
    lead: 11,
    run: async ({ origin, databaseUrl, others }, ending) => await holding(databaseUrl, others.map(({ company }) => company),
      async () => await every(40, origin, ending, (index) => {
        const { token } = others[index % others.length]
        return index % 2 === 0 ? { path: 'contracts/', token, body: newContract(index) } : { path: 'contracts/bulk/', token, body: `{"items":[${newContract(index)}]}` }
      }))
  },
  {
    name: 'searches',
    about: 'searches for a common word among all contracts of a large company, 16 connections',
    run: async ({ origin, tokens: [token] }, ending) =>
      await repeat(origin, 16, ending, index => ({ path: `contracts/?search=o&ordering=-monto,moneda&monto_min=${index}`, token }))
  },
  {
    name: 'revoked-token',
    about: 'requests with a revoked token, 8 connections',
    lead: 10,
    run: async ({ origin, revoked }, ending) => await repeat(origin, 8, ending, () => ({ path: 'contracts/', token: revoked })),
    check: ownerIsServed
  },
  {
    name: 'expired-token',
    about: 'requests to api-token-refresh/ with an expired access token, 8 connections',
    lead: 10,
    run: async ({ origin, expired }, ending) => await repeat(origin, 8, ending, () => ({ path: 'api-token-refresh/', token: expired, body: '{"refresh":"x"}' })),
    check: ownerIsServed
  },
  {
    name: 'refused-bulks',
    about: 'bulks of 999 new contracts and one that exists, 1 connection',
    async run ({ origin, tokens: [token] }, ending) {
      await sender(origin, 1)({ path: 'contracts/', token, body: '{"folio":"N-TAKEN"}' })
      const items = (index: number) => Array.from({ length: 999 }, (_, item) => ({ folio: `B-${index}-${item}` }))
      return await repeat(origin, 1, ending, index => ({ path: 'contracts/bulk/', token, body: JSON.stringify({ items: [...items(index), { folio: 'N-TAKEN' }] }) }))
    }
  },
  {
    name: 'slow-readers',
    about: '100 connections that each request 50 large pages and read no answer',
    async run ({ origin, tokens: [token] }, ending) {
      const sockets = await Promise.all(Array.from({ length: 100 }, async () => await opened(origin)))
      for (const [index, socket] of sockets.entries()) {
        socket.pause()
        socket.write(raw(`contracts/?page_size=200&page=${index + 1}`, token).repeat(50))
      }
      while (!ending.aborted) await sleep(50)
      for (const socket of sockets) socket.destroy()
      return sockets.length * 50
    }
  },
  {
    name: 'pipelined',
    about: '4 connections that send 1,000 requests in one write, repeatedly',
    async run ({ origin, tokens: [token] }, ending) {
      let sent = 0
      await Promise.all(Array.from({ length: 4 }, async (_, index) => {
        while (!ending.aborted) {
          const socket = await opened(origin)
          socket.resume()
          for (let page = 0; page < 1000; page++) socket.write(raw(`contracts/?page=${(index * 1000 + page) % 3000 + 1}`, token))
          sent += 1000
          await Promise.race([new Promise(resolve => socket.once('close', resolve)), sleep(1000)])
          socket.destroy()
        }
      }))
      return sent
    }
  },
  {
    name: 'orderings',
    about: 'every ordering of two fields, 8 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const fields = ['id', 'folio', 'contraparte', 'monto', 'moneda', 'fecha_inicio', 'fecha_fin', 'estado', 'created_at', 'updated_at'].flatMap(field => [field, `-${field}`])
      const pairs = fields.flatMap(first => fields.map(second => `${first},${second}`))
      return await repeat(origin, 8, ending, index => ({ path: `contracts/?page_size=1&ordering=${pairs[index % pairs.length]}`, token }))
    }
  },
  ...headerAttacks,
  ...inputAttacks,
  ...documentAttacks,
  ...streamAttacks,
  ...estimateAttacks,
  // The last ones, because they change companies and levels of the attacker's users.
  ...unitAttacks
]
