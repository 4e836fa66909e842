import t from 'tap'
import { settleStatement, takeLeases, type CompanyLoad, type Places } from '../../../../src/server/webhooks/leases.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const { psql, database: { sql } } = await openTestDatabase(t)
const [{ customer_id: customer }] = await psql('select customer_id from companies where id = 1') as [{ customer_id: number }]

/** New companies, each with a number of webhooks that have something to deliver, and no others. @returns the ids of the companies */
async function companies (...webhooks: number[]): Promise<number[]> {
  await psql('delete from webhooks')
  const ids: number[] = []
  for (const count of webhooks) {
    const [{ id }] = await psql("insert into companies (customer_id, nombre) values ($1, 'F-' || gen_random_uuid()) returning id", [customer]) as [{ id: number }]
    await psql("insert into webhooks (company_id, url, secrets) select $1, 'https://erp.obra.example/', '' from generate_series(1, $2::int)", [id, count])
    ids.push(id)
  }
  return ids
}

const few: Places = { prompt: 1, slow: 1, promptOfCompany: 4, slowOfCompany: 4 }
const take = async (running: CompanyLoad[], places: Places = few) => await takeLeases(sql.query, undefined, running, places)
const onlyOf = (company: number, number: number) => ({ company, prompt: number, slow: number })

for (const [name, setting] of [['prompt', 'slow_for = 0'], ['slow', 'slow_for = 5'], ['failing', 'failures = 2']] as const) {
  t.test(`${name} webhooks: the company with the fewest deliveries comes first, also if another has a hundred webhooks`, async (t) => {
    const [busy, quiet] = await companies(100, 1) as [number, number]
    await psql(`update webhook_cursors set ${setting}`)
    t.match(await take([onlyOf(busy, 3)]), [{ company: quiet, isSlow: name !== 'prompt' }])
    t.match(await take([onlyOf(busy, 3), onlyOf(quiet, 1)]), [{ company: busy }])
    t.strictSame(await take([onlyOf(busy, 4)]), [], 'a company has at most its number of places')
  })
}

t.test('all webhooks of a company get their turn', async (t) => {
  await companies(6)
  const found = new Set<number>()
  for (let time = 0; time < 6; time++) {
    const [lease] = await take([])
    found.add(lease?.webhook as number)
    await psql('update webhook_cursors set lease = null, leased_until = null')
  }
  t.equal(found.size, 6)
})

t.test('a slow attempt counts for the next ten', async (t) => {
  await companies(1)
  const seen: boolean[] = []
  for (let attempt = 0; attempt < 13; attempt++) {
    const [lease] = await take([])
    if (lease === undefined) throw new Error('no lease')
    seen.push(lease.isSlow)
    await sql.within([], 'read write', [settleStatement(lease, { cursor: lease.cursor, isSlow: attempt === 0, isKept: false })])
  }
  t.strictSame(seen, [false, ...Array.from({ length: 10 }, () => true), false, false])
})
