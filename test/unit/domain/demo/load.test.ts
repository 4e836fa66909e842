import t from 'tap'
import { demoPassword } from '../../../../src/domain/demo/data.ts'
import { hasDemo, loadDemo } from '../../../../src/domain/demo/load.ts'
import { brokenRules } from '../../../system/kernel/rules.ts'
import { build } from '../../../support/helper.ts'

/** The sum of amounts, as printed. */
function sum (records: Array<Record<string, unknown>>, field: string): string {
  const cents = records.reduce((total, record) => total + Math.round(Number(record[field]) * 100), 0)
  return (cents / 100).toFixed(2)
}

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

  await t.test('has the works of a site: a catalogue, a programme, change orders, measured estimates, a payment and movements', async (t) => {
    const director = await as('director@demo.example')
    const list = async (url: string): Promise<Array<Record<string, unknown>>> => (await director.get(`${url}&page_size=200`)).json().results
    const [{ id }] = await list('contracts/?folio=ON-2026-003-A') as [{ id: number }]
    const contract = (await director.get(`contracts/${id}/`)).json()
    t.match(contract, { contraparte: 'Cimentaciones Profundas del Bajío, S.A. de C.V.', monto_original: '6418149.50', monto: '6760868.22', fecha_fin_original: '2027-06-30', fecha_fin: '2027-07-15', extra_autorizado: '279324.00' })
    const concepts = await list(`conceptos/?contract=${id}`)
    t.equal(sum(concepts.filter(({ convenio }) => convenio === null), 'importe'), contract.monto_original)
    const programme = await list(`programa/?contract=${id}`)
    t.equal(sum(programme.filter(({ convenio }) => convenio === null), 'importe'), contract.monto_original)
    t.equal(programme.length, 7)
    t.match(await list(`convenios/?contract=${id}`), [{ numero: 1, estado: 'firmado', monto: '342718.72', dias: 15 }, { numero: 2, estado: 'autorizado', monto: '279324.00', dias: 10 }])

    const estimates = await list(`estimates/?contract=${id}`)
    t.match(estimates, [
      { numero: 1, estado: 'autorizada', lineas: 4, monto: '265201.03', amortizacion: '26520.10', retencion: '11934.05', neto: '263026.38', pagado: '131513.19', por_pagar: '131513.19' },
      { numero: 2, estado: 'autorizada', lineas: 7, cargos_antes_iva: '18650.00', pagado: '0.00' },
      { numero: 3, estado: 'borrador', lineas: 4 }
    ])
    t.equal(sum(estimates.slice(0, 2), 'monto'), contract.monto_estimado)
    t.strictSame((await director.get(`estimates/${estimates[2]?.['id']}/`)).json().avisos, ['convenio_sin_firma'])
    const lines = await list(`estimates/${estimates[1]?.['id']}/conceptos/?`)
    t.equal(sum(lines, 'importe_periodo'), estimates[1]?.['monto'])
    t.match(await list(`pagos/?contract=${id}`), [{ estimate: estimates[0]?.['id'], importe: '131513.19', fecha: '2026-03-18', referencia: 'SPEI' }])
    t.match(await list(`movimientos/?contract=${id}`), [{ tipo: 'deductiva', importe: '18650.00' }, { tipo: 'otro', porcentaje: '0.200000', importe: /^\d/ }])
    for (const { cantidad, ubicacion, ...dimensions } of await list(`generadores/?contract=${id}`)) {
      const factors = ['piezas', 'largo', 'ancho', 'alto'].map(name => dimensions[name]).filter(factor => factor !== null).map(Number)
      if (factors.length > 0) t.equal(Number(cantidad), Number(factors.reduce((product, factor) => product * factor).toFixed(4)))
      t.ok(Number(cantidad) !== 0 && ubicacion !== '', String(ubicacion))
    }
  })

  await t.test('keeps the rules of every database', async (t) => {
    t.strictSame(await brokenRules(psql), [])
  })

  await t.test('is loaded into an empty database only', async (t) => {
    t.equal(await loadDemo(database.orm), false)
    t.equal((await psql('select from contracts')).length, 85)
    t.equal(await hasDemo(app.database.sql), true)
    await psql("update users set email = 'someone@else.example' where email = 'auxiliar@demo.example'")
    t.equal(await hasDemo(app.database.sql), false)
  })
})
