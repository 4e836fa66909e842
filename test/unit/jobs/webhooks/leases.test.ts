import t from 'tap'
import { settleStatement } from '../../../../src/jobs/webhooks/leases.ts'
import { takeLeases, type DeliveryCounts, type Running } from '../../../../src/jobs/webhooks/take.ts'
import { openTestDatabase } from '../../../support/helper.ts'

const { psql, database: { sql } } = await openTestDatabase(t)
const [{ customer_id: customer }] = await psql('select customer_id from companies where id = 1') as [{ customer_id: number }]

/** New companies, each with a number of webhooks that have something to deliver, and no others. @returns the ids of the companies */
async function companies (...webhooks: number[]): Promise<number[]> {
  return await companiesOf(customer, ...webhooks)
}

async function companiesOf (customer: number, ...webhooks: number[]): Promise<number[]> {
  await psql('delete from webhooks')
  return await addCompanies(customer, ...webhooks)
}

/** @param webhooks of each company, to as many hosts */
async function addCompanies (customer: number, ...webhooks: number[]): Promise<number[]> {
  const ids: number[] = []
  for (const count of webhooks) {
    const [{ id }] = await psql("insert into companies (customer_id, nombre) values ($1, 'F-' || gen_random_uuid()) returning id", [customer]) as [{ id: number }]
    await psql("insert into webhooks (company_id, url, secrets) select $1::int, 'https://' || $1::int || '-' || n || '.obra.example/', '' from generate_series(1, $2::int) n", [id, count])
    ids.push(id)
  }
  return ids
}

const few: DeliveryCounts = { prompt: 1, slow: 1, promptOfCustomer: 4, slowOfCustomer: 4, host: 100, hostOfCustomer: 100 }
const take = async (running: Running[], places: DeliveryCounts = few) => await takeLeases(sql.query, undefined, running, places)
/** Running deliveries of a company, of both classes. */
const runningOf = (company: number, number: number, of = customer, host = 'another'): Running[] =>
  Array.from({ length: 2 * number }, (_, index) => ({ company, customer: of, host, isSlow: index % 2 === 0 }))

for (const [name, setting] of [['prompt', 'slow_for = 0'], ['slow', 'slow_for = 5'], ['failing', 'failures = 2']] as const) {
  t.test(`${name} webhooks: the company with the fewest deliveries comes first, even if another has a hundred webhooks`, async (t) => {
    const [busy, quiet] = await companies(100, 1) as [number, number]
    await psql(`update webhook_cursors set ${setting}`)
    t.match(await take(runningOf(busy, 2)), [{ company: quiet, isSlow: name !== 'prompt' }])
    t.match(await take([...runningOf(busy, 2), ...runningOf(quiet, 1)]), [{ company: busy }])
    t.strictSame(await take(runningOf(busy, 4)), [], 'the companies of a customer have at most its number of places')
  })
}

t.test('the customer with the fewest deliveries comes first, even if another has more companies', async (t) => {
  const [{ id: other }] = await psql("insert into customers (nombre) values ('Otro') returning id") as [{ id: number }]
  const many = await companies(1, 1, 1, 1, 1)
  const [quiet] = await addCompanies(other, 1)
  t.match(await take(runningOf(many[0], 1)), [{ company: quiet, customer: other }])
})

t.test('a host gets a limited number of deliveries, of one customer and of all', async (t) => {
  const [{ id: other }] = await psql("insert into customers (nombre) values ('Tercero') returning id") as [{ id: number }]
  const many: DeliveryCounts = { prompt: 100, slow: 100, promptOfCustomer: 100, slowOfCustomer: 100, host: 5, hostOfCustomer: 3 }
  const owns = await companies(10, 10)
  const others = await addCompanies(other, 10)
  await psql("update webhooks set url = 'https://Victim.example/' || id")
  const leases = await take([], many)
  t.strictSame(leases.map(({ host }) => host), Array(5).fill('victim.example'))
  const counts = [owns, others].map(ids => leases.filter(({ company }) => ids.includes(company)).length)
  t.strictSame(counts.toSorted(), [2, 3], 'both customers have places')
  await psql('update webhook_cursors set lease = null, leased_until = null')
  // Of the five places two are taken, both by this customer, whose third webhook comes at the same time as the third one of the other.
  const taken = await take(runningOf(owns[0], 1, customer, 'victim.example'), many)
  t.equal(taken.length, 3)
  t.ok(taken.filter(lease => lease.customer === customer).length <= 1, 'at most three of a customer')
  await psql('update webhook_cursors set lease = null, leased_until = null')
  t.strictSame(await take(runningOf(1, 3, 99, 'victim.example'), many), [])
  t.equal((await take(runningOf(1, 3, 99, 'victim.example:8443'), many)).length, 5, 'another port is another host')
})

t.test('all webhooks of a company get their turn', async (t) => {
  await companies(6)
  const found = new Set<number>()
  for (let time = 0; time < 6; time++) {
    const [lease] = await take([])
    found.add(lease?.webhook)
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
