import t from 'tap'
import { readTurn } from '../../../src/database/turns/read-turn.ts'
import type { BatchQuery } from '../../../src/database/turns/batch-requests.ts'
import { writeTurn } from '../../../src/database/turns/write-turn.ts'
import { Contract, Contraparte } from '../../../src/domain/entities/index.ts'
import { inCompany } from '../../../src/database/turns/unit-of-work.ts'
import { contracts } from '../../../src/domain/contracts/resource.ts'
import { buildWith } from '../../support/extra-routes.ts'
import { plantVictim } from './victim.ts'
import type { Resource } from '../../../src/resources/declaration/resource.ts'

const batch = 'unnest($1::int[], $2::int[]) with ordinality as q (company, id, i)'
const query = (text: string): BatchQuery => ({ columns: [['id', 'int']], text })
const readAll = query(`select q.i, t.id, t.company_id, t.folio from ${batch} join contracts t on true`)
const readOne = query(`select q.i, t.* from ${batch} join contracts t on t.id = q.id`)
const changeAll = query(`update contracts t set descripcion = 'todos' from ${batch} where t.id >= q.id returning q.i, t.company_id`)
const removeOne = query(`delete from contracts t using ${batch} where t.id = q.id returning q.i`)
const adoptOne = query(`insert into contracts (company_id, folio, parent_id) select q.company, 'ADOPTADO', q.id from ${batch} returning 1 as i`)
const nameOne = query(`insert into contracts (company_id, folio, contraparte_id) select q.company, 'NOMBRADO', q.id from ${batch} returning 1 as i`)

// A resource whose SQL lacks the company condition everywhere.
const forgetful: Resource = {
  ...contracts,
  joins: 'left join contrapartes p on p.id = t.contraparte_id',
  detail: "t.descripcion, (select count(*)::int from contracts) as hijos, (select coalesce(string_agg(nombre, ', '), '') from contrapartes) as monto_subcontratado"
}

t.test('statements without the company condition', async (t) => {
  const server = await buildWith(t, (app) => {
    app.get('/forgetful/:id/', { schema: { hide: true } }, async (request, reply) => {
      await app.authorize(request, reply, 'read')
      return await request.tenant.record(forgetful, (request.params as { id: string }).id)
    })
  })
  const { app, database, psql, as } = server
  const victim = await plantVictim(server)
  const attacker = await as('director@demo.example')
  const [{ id: own, company }] = (await attacker.get('contracts/?page_size=1')).json().results
  const [read, write] = [readTurn(database.sql), writeTurn(database.sql)]
  const theirs = async () => await psql('select * from contracts where company_id = $1 order by id', [victim.company])
  const before = await theirs()

  await t.test('a read turn sees only the company\'s rows', async (t) => {
    const rows = await read({ query: readAll, company, values: [0] })
    t.equal(rows.length, 60)
    t.ok(rows.every(row => row['company_id'] === company))
    t.same(await read({ query: readOne, company, values: [victim.id] }), [])
  })

  await t.test('a write turn changes and deletes only the company\'s rows', async (t) => {
    const rows = await write({ query: changeAll, company, values: [0] })
    t.equal(rows.length, 60)
    t.same(await write({ query: removeOne, company, values: [victim.id] }), [])
  })

  await t.test('a write turn cannot refer to another company\'s records: the composite keys refuse it', async (t) => {
    await t.rejects(write({ query: adoptOne, company, values: [victim.id] }), { code: '23503', constraint: 'contracts_parent_foreign' })
    await t.rejects(write({ query: nameOne, company, values: [victim.contraparte] }), { code: '23503', constraint: 'contracts_contraparte_foreign' })
    t.equal((await write({ query: adoptOne, company, values: [own] })).length, 1)
  })

  await t.test('a unit of work sees and changes only the company\'s rows', async (t) => {
    await inCompany(database, company, async ({ em }) => {
      t.equal(await em.findOne(Contract, { id: victim.id }), null)
      t.equal(await em.findOne(Contraparte, { nombre: victim.nombre }), null)
      t.same([...new Set((await em.find(Contract, {})).map(contract => contract.company))], [company])
      t.equal(await em.nativeUpdate(Contract, { id: victim.id }, { monto: '0.02' }), 0)
      t.equal(await em.nativeDelete(Contract, { id: victim.id }), 0)
    })
    await t.rejects(inCompany(database, company, async ({ em }) => {
      await em.insert(Contract, { company: victim.company, folio: 'AJENO' })
    }), { code: '42501' })
  })

  await t.test('an entity manager without a company sees and writes nothing', async (t) => {
    const em = database.orm.em.fork()
    t.same(await em.find(Contract, {}), [])
    t.equal(await em.count(Contraparte), 0)
    t.equal(await em.nativeUpdate(Contract, {}, { monto: '0.03' }), 0)
    await t.rejects(em.insert(Contract, { company, folio: 'SUELTO' }), { code: '42501' })
    t.same(await em.getKysely().selectFrom('contracts' as never).selectAll().execute(), [])
  })

  await t.test('a route shows nothing of another company, neither in joins nor in sums', async (t) => {
    const headers = { authorization: `Bearer ${attacker.access}` }
    const response = await app.inject({ url: `/forgetful/${own}/`, headers })
    t.equal(response.statusCode, 200)
    t.equal(response.json().hijos, 61)
    t.notMatch(response.body, victim.nombre)
    t.match((await app.inject({ url: `/forgetful/${victim.id}/`, headers })).json(), { code: 'not_found' })
  })

  t.same(await theirs(), before, 'the other company has not changed')
})
