import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { readClaims } from '../../../support/trial/data.ts'
import { asAdmin } from '../../../support/trial/database.ts'
import { jsonOf, send } from '../../../support/trial/http.ts'
import { repeat } from './attack-requests.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

const most = 200
const chainLength = 4000

/** Mutations of one request: a chain of contracts, each below the last one. */
const chain = (from: number, root: number) => Array.from({ length: most }, (_, n) => ({
  id: from + n, op: 'create', resource: 'contracts', ref: `c${from + n}`, body: { folio: `CH-${root}-${from + n}`, parent: { ref: `c${from + n - 1}` } }
}))

const post = async (origin: string, token: string, path: string, body: unknown) => await send(origin, {
  method: 'POST', path: `/api/v1/${path}`, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body)
})

/** Makes a chain of contracts as deep as the service allows. @returns ids of its lowest contract and of one that moves */
async function makeChain (origin: string, token: string): Promise<{ lowest: number, moved: number }> {
  const device = randomUUID()
  const folio = `CH-${process.hrtime.bigint()}`
  const mutate = async (mutations: object[]) => jsonOf(await post(origin, token, 'mutations/', { device, mutations })).results as Array<{ record?: { id: number } }> | undefined
  const [root, free] = (await mutate([0, 1].map(n => ({ id: 1 + n, op: 'create', resource: 'contracts', ref: n === 0 ? 'c2' : 'free', body: { folio: `${folio}-${n}` } }))) ?? []).map(({ record }) => record?.id as number)
  let lowest = root
  for (let made = 0; made < chainLength; made += most) {
    const results = await mutate(chain(3 + made, root))
    const ids = results?.flatMap(({ record }) => record?.id ?? []) ?? []
    lowest = ids.at(-1) ?? lowest
    if (ids.length < most) break
  }
  return { lowest, moved: free }
}

/** Makes another company of the attacker's customer and switches one of the attacker's users to it. */
async function joinSecondCompany (client: pg.Client, { company, tokens }: AttackTarget): Promise<void> {
  const user = readClaims(tokens[1]).user_id
  await client.query("with made as (insert into companies (nombre, customer_id) select 'Second', customer_id from companies where id = $1 returning id), joined as (insert into memberships (user_id, company_id, nivel_acceso) select $2, id, 3 from made) update users set company_id = made.id from made where users.id = $2", [company, user])
}

/** Attacks by units of work and by the queue of devices. */
export const unitAttacks: readonly Attack[] = [
  {
    name: 'chains',
    about: `two companies of one customer: a chain of up to ${chainLength} subcontracts each, then ${most} moves per request below its end, 4 connections`,
    lead: 40,
    async run (target, ending) {
      const { origin, databaseUrl, tokens } = target
      await asAdmin(databaseUrl, async client => await joinSecondCompany(client, target))
      const chains = await Promise.all([tokens[0], tokens[1]].map(async token => ({ token, ...await makeChain(origin, token) })))
      return await repeat(origin, 4, ending, (index) => {
        const { token, lowest, moved } = chains[index % 2]
        const mutations = Array.from({ length: most }, (_, n) => ({ id: n + 1, op: 'update', resource: 'contracts', record: moved, body: { parent: n % 2 === 0 ? lowest : null } }))
        return { path: 'mutations/', token, body: JSON.stringify({ device: randomUUID(), mutations }) }
      })
    }
  },
  {
    name: 'readers',
    about: `a user who may only read: ${most} mutations of a new device per request, 8 connections`,
    async run ({ origin, databaseUrl, tokens: [, , token] }, ending) {
      const user = readClaims(token).user_id
      await asAdmin(databaseUrl, async client => await client.query('update memberships set nivel_acceso = 1 where user_id = $1', [user]))
      const mutations = Array.from({ length: most }, (_, n) => ({ id: n + 1, op: 'delete', resource: 'contracts', record: n + 1 }))
      return await repeat(origin, 8, ending, () => ({ path: 'mutations/', token, body: JSON.stringify({ device: randomUUID(), mutations }) }))
    },
    async check ({ databaseUrl, tokens: [, , token] }) {
      const user = readClaims(token).user_id
      const stored = await asAdmin(databaseUrl, async client => (await client.query('select count(*)::int as n from devices d left join mutations m on m.device_id = d.id where d.user_id = $1', [user])).rows[0].n as number)
      return stored === 0 ? [] : [`${stored} results of a reader were stored`]
    }
  }
]
