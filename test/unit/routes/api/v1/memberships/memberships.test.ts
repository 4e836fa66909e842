import t from 'tap'
import { absent, demoIds, missing } from '../../../../../support/accounts.ts'
import { invalid } from '../../../../../support/invalid.ts'
import { build } from '../../../../../support/helper.ts'

const server = await build(t)
const { as, psql } = server
const { companies, users } = await demoIds(server)
const [norte, sur, otraUno] = [companies['Obra Norte'], companies['Obra Sur'], companies['Otra Uno']]
const [auxiliar, otro, soporte] = [users['auxiliar@demo.example'], users['director@otra.example'], users['soporte@demo.example']]
const [root, corporativo] = [await as('superusuario@demo.example'), await as('corporativo@demo.example')]

t.test('a membership is created, applies immediately, is changed and deleted', async (t) => {
  const member = await as('auxiliar@demo.example')
  t.equal((await member.send('PATCH', 'me/', { company: sur })).statusCode, 400)
  const made = await corporativo.post('memberships/', { user: auxiliar, company: sur, nivel_acceso: 1 })
  t.equal(made.statusCode, 201)
  const membership = made.json()
  t.match(membership, { user: auxiliar, company: sur, nivel_acceso: 1, version: 1 })
  t.strictSame(Object.keys(membership), ['id', 'user', 'company', 'nivel_acceso', 'created_at', 'updated_at', 'version'])
  const url = `memberships/${membership.id}/`
  t.equal(made.headers.location, `http://localhost:80/api/v1/${url}`)
  t.strictSame((await corporativo.get(url)).json(), membership)

  t.equal((await member.send('PATCH', 'me/', { company: sur })).statusCode, 200)
  t.equal((await member.post('contracts/', { folio: 'S-1' })).statusCode, 403)
  t.match((await corporativo.send('PATCH', url, { nivel_acceso: 2 })).json(), { nivel_acceso: 2, version: 2 })
  t.equal((await member.post('contracts/', { folio: 'S-1' })).statusCode, 201)
  t.match((await corporativo.send('PUT', url, { ...membership, nivel_acceso: 3 })).json(), { nivel_acceso: 3, version: 3 })

  t.equal((await corporativo.send('DELETE', url)).statusCode, 204)
  t.equal((await corporativo.send('DELETE', url)).statusCode, 404)
  t.strictSame((await corporativo.get(url)).json(), missing)
  t.equal((await member.get('contracts/')).json().code, 'no_active_company')
})

t.test('a user of one customer gets no company of another; a Superusuario may add a user without a customer', async (t) => {
  const across = invalid({ company: ['The user and the company belong to different customers.'] })
  t.strictSame((await root.post('memberships/', { user: otro, company: norte, nivel_acceso: 1 })).json(), across)
  const { id } = (await root.get(`memberships/?user=${otro}`)).json().results[0]
  t.strictSame((await root.send('PATCH', `memberships/${id}/`, { company: norte })).json(), across)
  t.strictSame((await root.send('PATCH', `memberships/${id}/`, { user: auxiliar })).json(), across)

  const guest = (await root.post('memberships/', { user: soporte, company: norte, nivel_acceso: 1 })).json()
  t.match(guest, { user: soporte, company: norte })
  const url = `memberships/${guest.id}/`
  t.match((await corporativo.get(url)).json(), guest, 'the customer sees the members of its companies')
  t.match((await corporativo.send('PATCH', url, { nivel_acceso: 2 })).json(), { nivel_acceso: 2 })
  t.match((await corporativo.send('PUT', url, { ...guest, nivel_acceso: 3 })).json(), { nivel_acceso: 3 })
  t.strictSame((await corporativo.send('PATCH', url, { company: sur })).json(), invalid({ user: absent(soporte) }), 'but cannot add users outside the customer')
  t.equal((await corporativo.send('DELETE', url)).statusCode, 204)
})

t.test('lists: filters, search by user and company, within the caller’s customer', async (t) => {
  const listed = async (query: string, client = root) => (await client.get(`memberships/?${query}`)).json().results.map(({ user, company }: { user: number, company: number }) => [user, company])
  t.equal((await corporativo.post('memberships/', { user: auxiliar, company: sur, nivel_acceso: 1 })).statusCode, 201)
  t.strictSame(await listed(`company=${otraUno}`), [[otro, otraUno]])
  t.strictSame(await listed(`user=${auxiliar}&ordering=company`), [[auxiliar, norte], [auxiliar, sur]])
  t.strictSame(await listed('nivel_acceso=2'), [[users['coordinador@demo.example'], norte]])
  t.strictSame(await listed('search=oscar uno'), [[otro, otraUno]])
  t.strictSame(await listed('search=diana sur'), [[users['director@demo.example'], sur]])
  for (const query of [`company=${otraUno}`, `user=${otro}`, 'search=oscar', 'user=0']) t.strictSame(await listed(query, corporativo), [], query)
  t.equal((await corporativo.get('memberships/')).json().count, 5)
  t.equal((await psql('select count(*)::int as n from memberships'))[0]?.['n'], 6)
  t.strictSame(Object.keys((await root.get('memberships/?user=x&company=-1&nivel_acceso=4&customer=1')).json().errors).sort(), ['company', 'customer', 'nivel_acceso', 'user'])
})
