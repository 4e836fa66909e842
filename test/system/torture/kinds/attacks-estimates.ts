import pg from 'pg'
import { superuserOptions } from '../../../support/trial/superuser.ts'
import { every, repeat } from './attack-requests.ts'
import type { Attack, AttackTarget } from './neighbour-attack.ts'

/** Estimates of the attacker's contract. */
const estimates = 16_000

/** A new contract of the attacker with very many estimates. @returns its id */
async function longContract ({ databaseUrl, company }: AttackTarget): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, options: superuserOptions })
  await client.connect()
  try {
    const { rows: [{ id }] } = await client.query("insert into contracts (company_id, folio, monto) values ($1, 'N-' || clock_timestamp(), 1e15) returning id", [company])
    await client.query('insert into estimates (company_id, contract_id, monto) select $1, $2, n from generate_series(1, $3::int) n', [company, id, estimates])
    return Number(id)
  } finally {
    await client.end()
  }
}

/** Attacks with one contract of 16,000 estimates. */
export const estimateAttacks: readonly Attack[] = [
  {
    name: 'estimates',
    about: 'pages of 200 estimates with their monto_acumulado, 12 connections, and a new estimate every 50 ms',
    lead: 15,
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const contract = await longContract(target)
      const [lists, creates] = await Promise.all([
        repeat(origin, 12, ending, index => ({ path: `estimates/?ordering=-id&page_size=200&fields=id,monto_acumulado&page=${index % 5 + 1}`, token })),
        every(50, origin, ending, () => ({ path: 'estimates/', token, body: JSON.stringify({ contract, monto: '1.00' }) }))
      ])
      return lists + creates
    }
  },
  {
    name: 'estimate-bulks',
    about: 'bulks of 1,000 estimates to a contract with 16,000, 2 connections',
    lead: 15,
    async run (target, ending) {
      const { origin, tokens: [token] } = target
      const contract = await longContract(target)
      const body = JSON.stringify({ items: Array.from({ length: 1000 }, () => ({ contract, monto: '1.00' })) })
      return await repeat(origin, 2, ending, () => ({ path: 'estimates/bulk/', token, body }))
    }
  }
]
