import t from 'tap'
import { registered } from '../../../src/domain/resources.ts'
import { build } from '../../support/helper.ts'
import { withoutKeys } from '../attacks/walls.ts'
import { plantVictim } from './victim.ts'

const tables = [...registered.map(({ name }) => name), 'changes']

// `attacks/tenants.test.ts` sends attacks with each wall removed.
t.test('each wall holds without the others', async (t) => {
  const server = await build(t)
  const { psql, as } = server
  const victim = await plantVictim(server)
  const attacker = await as('director@demo.example')
  const owner = await as('director@otra.example')

  await t.test('without the policies, the composite keys refuse references to another company', async (t) => {
    for (const table of tables) await psql(`alter table ${table} disable row level security`)
    t.same(await server.database.sql.query({ text: 'select count(distinct company_id) as companies from contracts', values: [] }), [{ companies: 2 }], 'the service would see everything')

    const { sql } = server.database
    const own = (await attacker.get('contracts/?page_size=1')).json().results[0].id
    for (const [column, value] of [['parent_id', victim.id], ['contraparte_id', victim.contraparte]]) {
      await t.rejects(sql.query({ text: `update contracts set ${column} = $1 where id = $2`, values: [value, own] }), { code: '23503' }, 'the composite keys refuse it')
    }
    await t.rejects(sql.query({ text: 'insert into estimates (company_id, contract_id) select company_id, $1 from contracts where id = $2', values: [victim.id, own] }), { code: '23503' }, 'the composite keys refuse it')

    for (const table of tables) await psql(`alter table ${table} enable row level security`)
  })

  await withoutKeys(server)

  await t.test('without the composite keys, a contract that refers to another company shows nothing of it', async (t) => {
    const [own] = (await attacker.get('contracts/?page_size=1')).json().results
    await psql('update contracts set parent_id = $1, contraparte_id = $2 where id = $3', [victim.id, victim.contraparte, own.id])
    t.match((await attacker.get(`contracts/${own.id}/`)).json(), { contraparte: null })
    t.match((await attacker.get('contracts/?page_size=1')).json().results[0], { id: own.id, contraparte: null })
    t.match((await owner.get(`contracts/${victim.id}/`)).json(), { hijos: 0, monto_subcontratado: '0.00' })
    t.equal((await owner.get(`contracts/?parent=${victim.id}`)).json().count, 0)
    t.equal((await attacker.get('contracts/?search=oculta')).json().count, 0)
  })

  await t.test('without the composite keys, an estimate that refers to another company shows nothing of it and adds to no sum there', async (t) => {
    const sums = async () => (await owner.get(`contracts/${victim.id}/`)).json()
    const before = await sums()
    const [own] = (await attacker.get('contracts/?page_size=1')).json().results
    const [{ id }] = await psql('insert into estimates (company_id, contract_id, monto) select company_id, $1, 1000 from contracts where id = $2 returning id', [victim.id, own.id]) as [{ id: number }]
    t.equal((await attacker.get(`estimates/${id}/`)).statusCode, 404)
    t.notMatch((await attacker.get('estimates/?search=secreto')).body, /SECRETO/)
    t.same(await sums(), before)
    t.match((await owner.get(`estimates/${victim.estimate}/`)).json(), { numero: 1, monto_acumulado: '77777.77' })
  })
})
