import t from 'tap'
import { build } from '../../../support/helper.ts'

t.test('slow reads and units of work of all companies of a customer count together', async (t) => {
  const { as, psql, database: { shares } } = await build(t)
  const [director, corporativo] = [await as('director@demo.example'), await as('corporativo@demo.example')]
  const [{ customer, company }] = await psql("select c.customer_id as customer, c.id as company from users u join companies c on c.id = u.company_id where u.email = 'director@demo.example'") as [{ customer: number, company: number }]
  const [{ id: other }] = await psql('select id from companies where customer_id = $1 and id <> $2 limit 1', [customer, company]) as [{ id: number }]
  const runs: Array<{ share: string, key: number | string, group: unknown }> = []
  for (const share of ['slowReads', 'slowWrites'] as const) {
    const run = shares[share].run.bind(shares[share])
    shares[share].run = async (key, deadline, work, group) => {
      runs.push({ share, key, group })
      return await run(key, deadline, work, group)
    }
  }
  const group = `customer ${customer}`
  const [{ id }] = (await director.get('contracts/?page_size=1')).json().results
  t.equal((await corporativo.send('PATCH', 'me/', { company: other })).statusCode, 200)

  for (const [client, key] of [[director, company], [corporativo, other]] as const) {
    for (const [share, send] of [
      ['slowReads', async () => await client.get('contracts/?search=obra%20de%20la%20ciudad&ordering=-monto,folio')],
      [undefined, async () => await client.post('contracts/', { folio: `K-${key}` }, { 'idempotency-key': `clave ${key}` })],
      ['slowWrites', async () => await client.post('contracts/', { folio: `K-${key}` }, { 'idempotency-key': `clave ${key}` })],
      ['slowWrites', async () => await client.post('contracts/bulk/', { items: [{ folio: `B-${key}` }] })],
      ['slowWrites', async () => await client.post('mutations/', { device: `0d0e7a1c-6f0e-4f5a-9d3a-7d0a5f6f000${key}`, mutations: [{ id: 1, op: 'create', resource: 'contracts', body: { folio: `M-${key}` } }] })]
    ] as const) {
      runs.length = 0
      const { statusCode, body } = await send()
      t.ok(statusCode < 300, body)
      t.strictSame(runs.map(run => run.share), share === undefined ? [] : [share], 'one statement or unit, however many words a search has')
      t.ok(runs.every(run => run.key === key && run.group === group), JSON.stringify(runs))
    }
  }
  runs.length = 0
  t.equal((await director.get(`contracts/${id}/tree/`)).statusCode, 200)
  t.strictSame(runs, [{ share: 'slowReads', key: company, group }])
  runs.length = 0
  t.equal((await corporativo.get('companies/')).statusCode, 200)
  t.strictSame(runs, [{ share: 'slowReads', key: `accounts ${customer}`, group }], 'accounts too')
})
