import t from 'tap'
import { openTestDatabase } from '../../../support/helper.ts'

t.test('the database enforces the rules of records for every role, also the superuser', async (t) => {
  const { psql } = await openTestDatabase(t)
  const companies = await psql('select id from companies order by id')
  const [norte, , otra] = companies.map(({ id }) => id as number) as [number, number, number]
  const one = async (text: string, values: unknown[] = []) => (await psql(text, values))[0]
  const add = async (folio: string, parent: number | null = null) =>
    (await one('insert into contracts (company_id, folio, parent_id) values ($1, $2, $3) returning id', [norte, folio, parent]))['id'] as number
  const theirs = (await one('select min(id) as id from contracts where company_id = $1', [otra]))['id']
  const theirParty = (await one('select min(id) as id from contrapartes where company_id = $1', [otra]))['id']

  await t.test('version counts updates and updated_at is their time, whatever a statement sets', async (t) => {
    const id = await add('V-1')
    const made = await one('select * from contracts where id = $1', [id])
    t.equal(made['version'], 1)
    for (let version = 2; version <= 4; version++) {
      const before = await one('select updated_at, clock_timestamp() as now from contracts where id = $1', [id])
      const after = await one("update contracts set monto = $2, version = 77, created_at = '2001-01-01', updated_at = '2001-01-01' where id = $1 returning *", [id, version])
      t.equal(after['version'], version)
      t.equal(after['created_at'], made['created_at'])
      t.ok(Date.parse(after['updated_at']) >= Date.parse(before['now']) - 1 && Date.parse(after['updated_at']) >= Date.parse(before['updated_at']))
    }
  })

  await t.test('a record stays in its company and keeps its id', async (t) => {
    const id = await add('V-2')
    await t.rejects(psql('update contracts set company_id = $1 where id = $2', [otra, id]), { code: '23514', message: /another company/ })
    await t.rejects(psql('update contrapartes set company_id = $1 where id = $2', [norte, theirParty]), { code: '23514', message: /another company/ })
    await t.rejects(psql('update contracts set id = id + 1000000 where id = $1', [id]), { code: '23514', message: /keeps its id/ })
  })

  await t.test('references cannot leave a company', async (t) => {
    const id = await add('V-3')
    await t.rejects(add('V-4', theirs), { code: '23503', constraint: 'contracts_parent_foreign' })
    await t.rejects(psql('update contracts set parent_id = $1 where id = $2', [theirs, id]), { code: '23503', constraint: 'contracts_parent_foreign' })
    await t.rejects(psql('update contracts set contraparte_id = $1 where id = $2', [theirParty, id]), { code: '23503', constraint: 'contracts_contraparte_foreign' })
    await t.rejects(psql("insert into contracts (company_id, folio, contraparte_id) values ($1, 'V-5', $2)", [norte, theirParty]), { code: '23503', constraint: 'contracts_contraparte_foreign' })
    await t.rejects(psql('delete from contrapartes where company_id = $1', [otra]), { code: '23503' })
  })

  await t.test('no contract is its own ancestor, at any depth', async (t) => {
    const cycle = { code: '23514', constraint: 'contracts_parent_acyclic' }
    const chain = [await add('C-0')]
    for (let depth = 1; depth < 40; depth++) chain.push(await add(`C-${depth}`, chain.at(-1)))
    const [root, , middle] = chain as [number, number, number]
    for (const below of [root, chain[1], middle, chain.at(-1)]) await t.rejects(psql('update contracts set parent_id = $1 where id = $2', [below, root]), cycle)
    await t.rejects(psql('insert into contracts (id, company_id, folio, parent_id) values (900001, $1, $2, 900001)', [norte, 'C-self']), cycle)

    const [a, b, c] = [await add('D-a'), await add('D-b'), await add('D-c')]
    await t.rejects(psql('update contracts set parent_id = case id when $1::int then $2::int when $2 then $3::int else $1 end where id in ($1, $2, $3)', [a, b, c]), cycle, 'one update of three')
    await t.rejects(psql('update contracts set parent_id = case id when $1::int then $2::int else $1 end where id in ($1, $2)', [a, b]), cycle, 'one update of two')
    for (const order of [[900001, 900002, 900003], [900003, 900002, 900001], [900002, 900003, 900001]]) {
      await t.rejects(psql("insert into contracts (id, company_id, folio, parent_id) values ($2::int, $1, 'E-1', $3), ($3, $1, 'E-2', $4), ($4, $1, 'E-3', $2)", [norte, ...order]), cycle, 'one insert of three')
    }
    await t.rejects(psql(`
      with first as (insert into contracts (id, company_id, folio, parent_id) values (900001, $1, 'E-1', 900002) returning 1)
      insert into contracts (id, company_id, folio, parent_id) values (900002, $1, 'E-2', 900001)`, [norte]), cycle, 'two inserts of one statement')
    await t.rejects(psql('update contracts set parent_id = $2, company_id = company_id where id = $1', [root, middle]), cycle)

    t.same(await psql('update contracts set parent_id = case id when $1::int then null else $1 end where id in ($1, $2::int) returning parent_id', [a, b]), [{ parent_id: null }, { parent_id: a }], 'a tree is not a cycle')
    t.same(await psql("insert into contracts (id, company_id, folio, parent_id) values (900011, $1, 'F-1', 900012), (900012, $1, 'F-2', null) returning parent_id", [norte]), [{ parent_id: 900012 }, { parent_id: null }], 'a parent may have the higher id')
  })

  await t.test('invalid values are refused', async (t) => {
    for (const wrong of ['monto = -0.01', 'monto = 10000000000000000', "moneda = 'GBP'", "estado = 'otro'", 'iva_porcentaje = 100.01', 'anticipo_porcentaje = -1', "fecha_inicio = '2026-02-02', fecha_fin = '2026-02-01'", 'folio = null', "folio = repeat('x', 65)"]) {
      await t.rejects(psql(`update contracts set ${wrong} where folio = 'V-1'`), { code: /^2[23]/ }, wrong)
    }
  })
})
