import t from 'tap'
import { demoIds } from '../../../../../support/accounts.ts'
import { build } from '../../../../../support/helper.ts'
import { None } from '../../../../../support/none.ts'

const server = await build(t)
const { as, psql } = server
const { customers } = await demoIds(server)
const [own, other] = [customers['Constructora Demo'], customers['Grupo Otra']]
const [support, corporativo] = [await as('soporte@demo.example'), await as('corporativo@demo.example')]
await psql("update users set activo = false where email = 'sincompania@demo.example'")
const emails = async (query: string, client = support): Promise<string[]> => (await client.get(`users/?${query}`)).json().results.map((one: { email: string }) => one.email)

t.test('filters', async (t) => {
  t.strictSame(await emails(`customer=${other}`), ['director@otra.example'])
  t.strictSame(await emails('customer=null'), ['soporte@demo.example', 'superusuario@demo.example'])
  t.strictSame(await emails('nivel_acceso=4'), ['corporativo@demo.example'])
  t.strictSame(await emails('nivel_acceso=null&activo=true&ordering=-email'), ['director@otra.example', 'director@demo.example', 'coordinador@demo.example', 'auxiliar@demo.example'])
  t.strictSame(await emails('activo=false'), ['sincompania@demo.example'])
  t.strictSame(await emails('email=DIRECTOR@demo.example'), ['director@demo.example'])
  t.strictSame(await emails('email=nobody@demo.example'), [])
})

t.test('search covers names and email addresses', async (t) => {
  t.strictSame(await emails('search=oscar'), ['director@otra.example'])
  t.strictSame(await emails('search=DIRECTOR example diana'), ['director@demo.example'])
  t.strictSame(await emails('search=oscar', corporativo), [], 'only among reachable users')
})

t.test('orders with nulls and pages by cursor, within the caller’s customer', async (t) => {
  t.strictSame(await emails('ordering=-nivel_acceso,email&page_size=3'), ['auxiliar@demo.example', 'coordinador@demo.example', 'director@demo.example'])
  for (const [client, count] of [[support, 8], [corporativo, 5]] as const) {
    for (const ordering of ['nivel_acceso,-nombre', '-customer,nivel_acceso', '-updated_at']) {
      const seen: number[] = []
      let page = (await client.get(`users/?page_size=2&ordering=${ordering}`)).json()
      t.equal(page.count, count)
      while (true) {
        seen.push(...page.results.map(({ id }: { id: number }) => id))
        if (page.next === null) break
        page = (await client.get(page.next.replace('http://localhost:80/api/v1/', ''))).json()
      }
      t.equal(new Set(seen).size, count, ordering)
    }
  }
  t.strictSame(new Set((await corporativo.get('users/')).json().results.map(({ customer }: { customer: number }) => customer)), new Set([own]))
})

t.test('a Corporativo without a customer sees no user', async (t) => {
  await psql("insert into users (email, password, nivel_acceso) select 'nadie@demo.example', password, 4 from users where email = 'corporativo@demo.example'")
  const nobodys = await as('nadie@demo.example')
  for (const resource of ['users', 'companies', 'memberships']) {
    t.match((await nobodys.get(`${resource}/`)).json(), { count: 0, results: None })
    t.equal((await nobodys.get(`${resource}/1/`)).statusCode, 404)
  }
  t.equal((await nobodys.post('companies/', { nombre: 'x' })).statusCode, 400)
  t.equal((await nobodys.post('users/', { email: 'x@y.mx', password: '12345678' })).statusCode, 400)
})
