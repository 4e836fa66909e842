import t from 'tap'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { hasDemo, loadDemo } from '../../../../src/domain/demo/load.ts'
import { build } from '../../../support/helper.ts'

t.test('the demo data', async (t) => {
  const { app, as, database, psql } = await build(t)

  await t.test('has two customers and their companies', async (t) => {
    t.strictSame(await psql('select c.nombre as customer, o.nombre as company from customers c join companies o on o.customer_id = c.id order by o.id'), [
      { customer: 'Constructora Demo', company: 'Obra Norte' },
      { customer: 'Constructora Demo', company: 'Obra Sur' },
      { customer: 'Grupo Otra', company: 'Otra Uno' }
    ])
    t.equal((await psql('select from customers')).length, 2)
  })

  await t.test('has a user of every level, with the active company of the documentation', async (t) => {
    const rows = await psql(`
      select u.email, u.nivel_acceso as account, c.nombre as customer, a.nombre as active,
        array(select o.nombre || ' ' || m.nivel_acceso from memberships m join companies o on o.id = m.company_id where m.user_id = u.id order by o.id) as member
      from users u left join customers c on c.id = u.customer_id left join companies a on a.id = u.company_id where u.activo order by u.email`)
    const [demo, otra] = ['Constructora Demo', 'Grupo Otra']
    t.strictSame(rows, [
      { email: 'auxiliar@demo.example', account: null, customer: demo, active: 'Obra Norte', member: ['Obra Norte 1'] },
      { email: 'coordinador@demo.example', account: null, customer: demo, active: 'Obra Norte', member: ['Obra Norte 2'] },
      { email: 'corporativo@demo.example', account: 4, customer: demo, active: 'Obra Norte', member: [] },
      { email: 'director@demo.example', account: null, customer: demo, active: 'Obra Norte', member: ['Obra Norte 3', 'Obra Sur 3'] },
      { email: 'director@otra.example', account: null, customer: otra, active: 'Otra Uno', member: ['Otra Uno 3'] },
      { email: 'sincompania@demo.example', account: null, customer: demo, active: null, member: [] },
      { email: 'soporte@demo.example', account: 5, customer: null, active: null, member: [] },
      { email: 'superusuario@demo.example', account: 6, customer: null, active: null, member: [] }
    ])
  })

  await t.test('lets each user log in with the one password, at its level', async (t) => {
    t.equal(demoPassword, 'demo-obra-1')
    const levels = {
      'auxiliar@demo.example': 1,
      'coordinador@demo.example': 2,
      'director@demo.example': 3,
      'corporativo@demo.example': 4,
      'soporte@demo.example': 5,
      'superusuario@demo.example': 6,
      'director@otra.example': 3,
      'sincompania@demo.example': null
    }
    await Promise.all(Object.entries(levels).map(async ([email, level]) => {
      t.match((await (await as(email)).get('me/')).json(), { email, nivel_acceso: level })
    }))
  })

  await t.test('has 60 contracts in Obra Norte, a tree three levels deep, and 25 in Otra Uno', async (t) => {
    const levels = await psql(`
      with recursive tree as (
        select id, company_id, 1 as level from contracts where parent_id is null
        union all select c.id, c.company_id, level + 1 from contracts c join tree on tree.id = c.parent_id)
      select o.nombre, level, count(*) as n from tree join companies o on o.id = company_id group by 1, 2 order by 1, 2`)
    t.strictSame(levels, [
      { nombre: 'Obra Norte', level: 1, n: 6 }, { nombre: 'Obra Norte', level: 2, n: 18 }, { nombre: 'Obra Norte', level: 3, n: 36 },
      { nombre: 'Otra Uno', level: 1, n: 25 }
    ])
    const [counted] = await psql("select r.contracts, r.contrapartes from company_revisions r join companies o on o.id = r.company_id where o.nombre = 'Obra Norte'")
    t.strictSame(counted, { contracts: 60, contrapartes: 10 })
  })

  await t.test('is realistic: each contract has an amount, a description and a counterparty, and subcontracts do not exceed it', async (t) => {
    t.strictSame(await psql("select folio from contracts where monto < 100000 or descripcion = '' or contraparte_id is null or fecha_inicio is null"), [])
    t.strictSame(await psql('select p.folio from contracts p join contracts c on c.parent_id = p.id group by p.id having sum(c.monto) > p.monto'), [])
    t.ok((await psql('select distinct contraparte_id from contracts')).length >= 15)
  })

  await t.test('is loaded into an empty database only', async (t) => {
    t.equal(await loadDemo(database.orm), false)
    t.equal((await psql('select from contracts')).length, 85)
    t.equal(await hasDemo(app.database.sql), true)
    await psql("update users set email = 'someone@else.example' where email = 'auxiliar@demo.example'")
    t.equal(await hasDemo(app.database.sql), false)
  })
})
