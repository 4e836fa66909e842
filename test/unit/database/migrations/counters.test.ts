import fc from 'fast-check'
import t from 'tap'
import { retrying } from '../../../../src/database/connection/postgres-sql.ts'
import { build } from '../../../support/helper.ts'
import { brokenRules } from '../../../system/kernel/rules.ts'

const write = fc.record({
  by: fc.constantFrom('post', 'patch', 'delete', 'psql insert', 'psql update', 'psql delete', 'psql fail'),
  tenant: fc.constantFrom(0, 1),
  many: fc.integer({ min: 1, max: 7 })
})

t.test('counters, revisions and change log agree with the rows after any writes, concurrently by the API and by psql', async (t) => {
  const { as, psql: execute } = await build(t)
  // One statement at a time. psql locks a row before its company, so a deadlock with the API may abort it.
  let last: Promise<unknown> = Promise.resolve()
  const psql = async (text: string, values?: unknown[]) => {
    const rows = last.then(async () => await retrying(async () => await execute(text, values)))
    last = rows.catch(() => {})
    return await rows
  }
  const clients = [await as('director@demo.example'), await as('director@otra.example')] as const
  const companies: number[] = await Promise.all(clients.map(async client => (await client.get('me/')).json().company))
  let folios = 0
  const answered = ({ statusCode, body }: { statusCode: number, body: string }) => { if (statusCode >= 500) throw new Error(body) }

  async function play ({ by, tenant, many }: { by: string, tenant: 0 | 1, many: number }): Promise<unknown> {
    const [client, company, folio] = [clients[tenant], companies[tenant], `K-${++folios}`]
    const any = async () => (await client.get(`contracts/?page_size=${many}&ordering=-id`)).json().results.at(-1)?.id ?? 0
    switch (by) {
      case 'post': return await client.post('contracts/', { folio: many > 4 ? 'K-same' : folio }).then(answered)
      case 'patch': return await client.send('PATCH', `contracts/${await any()}/`, { monto: `${many}.50` }).then(answered)
      case 'delete': return await client.send('DELETE', `contracts/${await any()}/`).then(answered)
      case 'psql insert': return await psql("insert into contracts (company_id, folio) select c, $2 || '-' || n from unnest($1::int[]) c, generate_series(1, $3::int) n", [many % 2 === 0 ? companies : [company], folio, many])
      case 'psql update': return await psql('update contracts set monto = monto where id % $1::int = 0', [many])
      case 'psql delete': return await psql("delete from contracts where folio ~ '^K-' and company_id = $1 and id % $2::int = 0", [company, many])
      default: return await psql('insert into contracts (company_id, folio) values ($1, $2), ($1, $2)', [company, folio]).catch(() => {})
    }
  }

  await fc.assert(fc.asyncProperty(fc.array(write, { minLength: 4, maxLength: 14 }), async writes => {
    await Promise.all(writes.map(play))
    const wrong = await brokenRules(psql)
    if (wrong.length > 0) throw new Error(JSON.stringify(wrong))
    for (const [index, client] of clients.entries()) {
      const [{ count }] = await psql('select count(*) as count from contracts where company_id = $1', [companies[index]]) as [{ count: number }]
      if ((await client.get('contracts/?page_size=1')).json().count !== count) throw new Error('the API has another count')
    }
  }), { numRuns: 8, endOnFailure: true })
  t.ok(folios > 20, `${folios} writes`)
})
