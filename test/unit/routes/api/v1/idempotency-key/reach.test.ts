import t from 'tap'
import { absent, demoIds, denied } from '../../../../../support/accounts.ts'
import { refuses } from '../../../../../support/invalid.ts'
import { build } from '../../../../../support/helper.ts'

t.test('an answer is replayed only to the same level and customer', async (t) => {
  const server = await build(t)
  const { as, psql } = server
  const { customers, companies, users } = await demoIds(server)
  const [own, other] = [customers['Constructora Demo'], customers['Grupo Otra']]
  const key = { 'idempotency-key': 'once' }

  await t.test('a Corporativo moved to another customer gets no earlier answer, and gets it again after moving back', async (t) => {
    const corporativo = await as('corporativo@demo.example')
    const moveTo = async (customer: number) => await psql("update users set customer_id = $1 where email = 'corporativo@demo.example'", [customer])
    const body = { nombre: 'Obra de una vez' }
    const first = await corporativo.post('companies/', body, key)
    t.match(first.json(), { customer: own })
    await moveTo(other)
    const there = await corporativo.post('companies/', body, key)
    t.equal(there.statusCode, 201)
    t.equal(there.headers['idempotency-replayed'], undefined)
    t.match(there.json(), { nombre: 'Obra de una vez', customer: other })
    const member = { user: users['auxiliar@demo.example'], company: companies['Obra Sur'], nivel_acceso: 1 }
    await moveTo(own)
    t.equal((await corporativo.post('memberships/', member, key)).statusCode, 201)
    await moveTo(other)
    refuses(t, await corporativo.post('memberships/', member, key), { user: absent(member.user), company: absent(member.company) })
    await moveTo(own)
    const again = await corporativo.post('companies/', body, key)
    t.equal(again.headers['idempotency-replayed'], 'true')
    t.equal(again.body, first.body)
  })

  await t.test('a user with a lowered account level gets no replay', async (t) => {
    const root = await as('superusuario@demo.example')
    const setLevel = async (level: number, customer: number | null) => await psql("update users set nivel_acceso = $1, customer_id = $2 where email = 'superusuario@demo.example'", [level, customer])
    const body = { nombre: 'Ajena', customer: other }
    t.equal((await root.post('companies/', body, key)).statusCode, 201)
    await setLevel(4, own)
    refuses(t, await root.post('companies/', body, key), { customer: absent(other) })
    await setLevel(6, null)
    t.equal((await root.post('companies/', body, key)).headers['idempotency-replayed'], 'true')
  })

  await t.test('a level without write access is refused; another one with write access executes the request again', async (t) => {
    const director = await as('director@demo.example')
    const setLevel = async (level: number) => await psql('update memberships set nivel_acceso = $1 where user_id = $2 and company_id = $3', [level, users['director@demo.example'], companies['Obra Norte']])
    const first = await director.post('contracts/', { folio: 'ALCANCE-1' }, key)
    await setLevel(1)
    const refused = await director.post('contracts/', { folio: 'ALCANCE-1' }, key)
    t.equal(refused.statusCode, 403)
    t.strictSame(refused.json(), denied)
    await setLevel(2)
    refuses(t, await director.post('contracts/', { folio: 'ALCANCE-1' }, key), { folio: ['This field must be unique.'] })
    t.equal((await director.post('contracts/bulk/', { items: [{ folio: 'ALCANCE-2' }] }, key)).statusCode, 201)
    await setLevel(3)
    t.equal((await director.post('contracts/', { folio: 'ALCANCE-1' }, key)).body, first.body)
    t.equal((await director.post('contracts/bulk/', { items: [{ folio: 'ALCANCE-2' }] }, key)).statusCode, 400)
  })

  await t.test('a user moved to another customer gets no replay, even in the same company', async (t) => {
    const soporte = await as('superusuario@demo.example')
    await soporte.send('PATCH', 'me/', { company: companies['Obra Norte'] })
    t.equal((await soporte.post('contrapartes/', { nombre: 'Alcance' }, key)).statusCode, 201)
    await psql("update users set customer_id = $1 where email = 'superusuario@demo.example'", [own])
    t.equal((await soporte.post('contrapartes/', { nombre: 'Alcance' }, key)).statusCode, 400)
  })
})
