import t from 'tap'
import { build } from '../helper.ts'
import { attack, plantVictim } from './attack.ts'

t.test('every attack on another tenant fails', async (t) => {
  const server = await build(t)
  const { psql, as } = server
  const victim = await plantVictim(server)
  const attacker = await as('director@demo.example')
  const owner = await as('director@otra.example')

  await t.test('with all walls up', async (t) => await attack(t, server, attacker, owner, victim))

  await t.test('with the policies down', async (t) => {
    await psql('alter table contracts disable row level security')
    await psql('alter table contrapartes disable row level security')
    await psql('alter table changes disable row level security')
    t.same(await server.database.sql.query({ text: 'select count(distinct company_id) as companies from contracts', values: [] }), [{ companies: 2 }], 'the service would see everything')

    await attack(t, server, attacker, owner, victim)
    const { sql } = server.database
    const own = (await attacker.get('contracts/?page_size=1')).json().results[0].id
    for (const [column, value] of [['parent_id', victim.id], ['contraparte_id', victim.contraparte]]) {
      await t.rejects(sql.query({ text: `update contracts set ${column} = $1 where id = $2`, values: [value, own] }), { code: '23503' }, 'the keys hold')
    }

    for (const table of ['contracts', 'contrapartes', 'changes']) await psql(`alter table ${table} enable row level security`)
  })

  await t.test('with the composite keys down', async (t) => {
    await psql('alter table contracts drop constraint contracts_parent_foreign')
    await psql('alter table contracts drop constraint contracts_contraparte_foreign')
    await attack(t, server, attacker, owner, victim)
  })

  await t.test('with the composite keys down and a contract that refers into the other company: nothing of there is shown', async (t) => {
    const [own] = (await attacker.get('contracts/?page_size=1')).json().results
    await psql('update contracts set parent_id = $1, contraparte_id = $2 where id = $3', [victim.id, victim.contraparte, own.id])
    t.match((await attacker.get(`contracts/${own.id}/`)).json(), { contraparte: null })
    t.match((await attacker.get('contracts/?page_size=1')).json().results[0], { id: own.id, contraparte: null })
    t.match((await owner.get(`contracts/${victim.id}/`)).json(), { hijos: 0, monto_subcontratado: '0.00' })
    t.equal((await owner.get(`contracts/?parent=${victim.id}`)).json().count, 0)
    t.equal((await attacker.get('contracts/?search=oculta')).json().count, 0)
  })
})
