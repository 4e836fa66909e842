import t from 'tap'
import { loadConfig } from '../../../../src/config.ts'
import { openAsOwner, openDatabase } from '../../../../src/server/open-database.ts'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { seed, seedConnections } from '../../../../src/cli/seed/seed.ts'
import { buildOn, logIn } from '../../../support/helper.ts'
import { demoPlace } from '../../../support/process.ts'
import { brokenRules } from '../../../system/kernel/rules.ts'

t.test('seeding', async (t) => {
  const place = await demoPlace(t)
  const config = loadConfig({ ...place.env, DATA_DIR: place.dataDir })
  const { orm, close } = await openAsOwner(config, seedConnections)
  let closed = false
  t.teardown(async () => { if (!closed) await close() })
  const psql = async (text: string) => await orm.em.fork().execute(text)
  const one = async (text: string) => (await psql(text))[0]

  const progress: number[] = []
  const first = await seed(orm, { companies: 4, contracts: 2003, users: 6, works: 7 }, done => progress.push(done))

  await t.test('adds the given numbers; contracts are the total of all companies', async (t) => {
    t.match(first, { companies: 4, contracts: 2003, users: 6, works: 7, sessions: { length: 6 } })
    t.match(await one("select count(*)::int as companies from companies where nombre like 'Obra _'"), { companies: 4 })
    t.strictSame((await psql("select count(*)::int as n from contracts where folio ~ '^[0-9a-f]{8}-' group by company_id")).map(({ n }) => n).sort(), [500, 501, 501, 501])
    t.equal(progress.at(-1), 2003)
    t.match(await one("select count(*)::int as n from contracts where folio like 'O__20%' or folio like 'OU-%'"), { n: 85 }, 'existing contracts stay')
  })

  await t.test('interleaves the rows of the companies', async (t) => {
    const alternating = async (last: number) => {
      const rows = await psql(`select company_id as company from contracts where company_id in (select id from companies order by id desc limit ${last}) order by ctid`)
      return rows.filter((row, index) => index > 0 && row['company'] !== rows[index - 1]?.['company']).length
    }
    t.ok(await alternating(4) > 0.95 * 2003, 'at most a few adjacent rows are of the same company')
    await seed(orm, { companies: 2, contracts: 41, users: 0, works: 0 })
    // The rows fill two pages. If the second page was free first, two rows of one company meet at its border.
    t.ok(await alternating(2) >= 39, 'also with two companies')
  })

  await t.test('keeps counters, revisions and the change log correct', async (t) => {
    for (const resource of ['contracts', 'contrapartes']) {
      t.strictSame(await psql(`select r.company_id from company_revisions r where r.${resource} <> (select count(*) from ${resource} t where t.company_id = r.company_id)`), [], resource)
    }
    t.strictSame(await psql("select c.id from contracts c where not exists (select from changes h where h.company_id = c.company_id and h.record_id = c.id and h.resource = 'contracts' and h.operation = 'insert')"), [])
    t.strictSame(await psql('select r.company_id from company_revisions r where r.revision <> (select coalesce(max(h.revision), 0) from changes h where h.company_id = r.company_id)'), [])
  })

  await t.test('gives works to the first contracts, spread over the companies, with other prices and the same quantities', async (t) => {
    const sites = await psql(`
      select c.company_id as company, c.monto - s.convenios as original, s.autorizado,
        (select sum(k.importe) from conceptos k where k.contract_id = c.id and k.convenio_id is null) as catalogue,
        (select count(*)::int from generadores g where g.contract_id = c.id) as measurements,
        (select string_agg(e.estado, ' ' order by e.numero) from estimates e where e.contract_id = c.id) as estimates,
        (select string_agg(v.estado, ' ' order by v.numero) from convenios v where v.contract_id = c.id) as orders
      from contracts c join contract_sums s on s.contract_id = c.id and s.con_lineas > 0
      where c.folio ~ '^[0-9a-f]{8}-' order by c.id`)
    t.equal(sites.length, 7)
    t.equal(new Set(sites.map(({ company }) => company)).size, 4, 'in each company')
    for (const { original, catalogue, measurements, orders } of sites) {
      t.equal(original, catalogue, 'the catalogue is the amount')
      t.strictSame([measurements, orders], [20, 'firmado autorizado'])
    }
    t.strictSame(new Set(sites.map(({ estimates }) => estimates)), new Set(['pagada autorizada borrador', 'autorizada autorizada borrador']))
    t.ok(new Set(sites.map(({ autorizado }) => autorizado)).size > 2, 'not all alike')
  })

  await t.test('keeps the rules of every database', async (t) => {
    t.strictSame(await brokenRules(psql), [])
  })

  await t.test('creates trees within each company', async (t) => {
    t.strictSame(await one("select count(*) filter (where parent_id is null)::int as roots, count(*) filter (where contraparte_id is null)::int as without, min(monto) > 0 as worth from contracts where company_id in (select m.company_id from memberships m join users u on u.id = m.user_id where email like 'director-%')"), { roots: 203, without: 0, worth: true })
    t.strictSame(await psql('select c.id from contracts c join contracts p on p.id = c.parent_id where p.company_id <> c.company_id'), [])
  })

  await t.test('adds more when it runs again', async (t) => {
    const second = await seed(orm, { companies: 1, contracts: 7, users: 1, works: 7 })
    t.match(second, { companies: 1, contracts: 7, users: 1, works: 7 })
    t.match(await one('select count(*)::int as n from contracts'), { n: 85 + 2003 + 41 + 7 })
    t.match(await one('select count(*)::int as n from customers'), { n: 5 })
    t.match(await seed(orm, { companies: 0, contracts: 0, users: 0, works: 0 }), { sessions: { length: 0 } })
    t.match(await seed(orm, { companies: 3, contracts: 2, users: 0, works: 2 }), { contracts: 2 }, 'fewer contracts than companies')
  })

  const directors = await psql("select email, company_id as company from users where email like 'director-%' order by id")
  await close()
  closed = true

  await t.test('creates Directors with the demo password, spread over the companies', async (t) => {
    t.equal(new Set(directors.map(({ company }) => company)).size, 5)
    const app = await buildOn(t, await openDatabase(config, 'refuse'))
    for (const { email, company } of [directors[0], directors[6]] as Array<{ email: string, company: number }>) {
      const director = await logIn(app, email, demoPassword)
      t.match((await director.get('me/')).json(), { email, nivel_acceso: 3, company, companies: { length: 1 } })
      const count = (await director.get('contracts/')).json().count
      t.ok(count === 7 || count === 501, `${count}`)
      t.equal((await director.post('contracts/', { folio: 'NEW-1' })).statusCode, 201)
    }
  })
})
