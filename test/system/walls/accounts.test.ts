import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { demoIds } from '../../support/accounts.ts'
import { build } from '../../support/helper.ts'
import { None } from '../../support/none.ts'

const server = await build(t)
const { as, psql } = server
const { customers, companies, users } = await demoIds(server)
const corporativo = await as('corporativo@demo.example')
const nobody = 2_000_000_000
const [{ id: theirMembership }] = await psql('select id from memberships where company_id = $1', [companies['Otra Uno']]) as [{ id: number }]
const [{ id: ownMembership }] = await psql('select id from memberships where user_id = $1', [users['auxiliar@demo.example']]) as [{ id: number }]
// A Corporativo of another customer and a user without a customer: neither may be distinguished from an absent one.
const theirs = { customer: customers['Grupo Otra'], company: companies['Otra Uno'], user: users['director@otra.example'], free: users['soporte@demo.example'], membership: theirMembership }
const snapshot = async () => await psql(`
  select (select json_agg(c order by id) from customers c)::text as customers, (select json_agg(c order by id) from companies c)::text as companies,
    (select json_agg(u order by id) from users u)::text as users, (select json_agg(m order by id) from memberships m)::text as memberships`)
const before = await snapshot()

/** An answer without the parts that differ between any two requests and without the requested id. */
function comparable ({ statusCode, headers, body }: LightMyRequestResponse, id: number) {
  const { date, 'x-request-id': request, 'content-length': length, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset, ...rest } = headers
  return { statusCode, rest, body: body.replaceAll(String(id), 'ID') }
}

/** Sends the same request about a record of another customer and about one that does not exist. */
async function indistinguishable (t: Test, ids: number[], method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: (id: number) => string, body?: (id: number) => object, headers: Record<string, string> = {}) {
  const absent = comparable(await corporativo.send(method, url(nobody), body?.(nobody), headers), nobody)
  for (const id of ids) {
    const answer = comparable(await corporativo.send(method, url(id), body?.(id), headers), id)
    t.strictSame(answer, absent, `${method} ${url(id)} ${JSON.stringify(body?.(id))}`)
  }
  return absent
}

t.test('another customer’s records are 404 in the path, with any body and precondition', async (t) => {
  for (const [resource, ids, body] of [
    ['companies', [theirs.company], { nombre: 'Mía' }],
    ['users', [theirs.user, theirs.free], { email: 'mia@demo.example' }],
    ['memberships', [theirs.membership], { user: users['auxiliar@demo.example'], company: companies['Obra Sur'], nivel_acceso: 3 }]
  ] as const) {
    const url = (id: number) => `${resource}/${id}/`
    t.equal((await indistinguishable(t, [...ids], 'GET', url)).statusCode, 404)
    await indistinguishable(t, [...ids], 'GET', id => `${url(id)}?fields=id`)
    await indistinguishable(t, [...ids], 'GET', url, undefined, { 'if-none-match': '*' })
    for (const method of ['PUT', 'PATCH'] as const) {
      for (const given of [body, {}, { color: 1 }, { id: 1, version: 1 }]) await indistinguishable(t, [...ids], method, url, () => given)
      await indistinguishable(t, [...ids], method, url, () => body, { 'if-match': '"0.0.x.1"' })
    }
    await indistinguishable(t, [...ids], 'DELETE', url)
    await indistinguishable(t, [...ids], 'DELETE', url, undefined, { 'if-match': '"0.0.x.99"' })
  }
})

t.test('another customer’s ids in a body are 400, as unknown ids', async (t) => {
  const auxiliar = users['auxiliar@demo.example']
  for (const [ids, method, url, body] of [
    [[theirs.customer], 'POST', 'companies/', (customer: number) => ({ nombre: 'x', customer })],
    [[theirs.customer], 'PATCH', `companies/${companies['Obra Norte']}/`, (customer: number) => ({ customer })],
    [[theirs.customer], 'POST', 'users/', (customer: number) => ({ email: 'x@demo.example', password: 'demo-obra-1', customer })],
    [[theirs.customer], 'PATCH', `users/${auxiliar}/`, (customer: number) => ({ customer })],
    [[theirs.customer], 'PUT', `users/${users['corporativo@demo.example']}/`, (customer: number) => ({ email: 'corporativo@demo.example', customer })],
    [[theirs.company], 'POST', 'memberships/', (company: number) => ({ user: auxiliar, company, nivel_acceso: 3 })],
    [[theirs.user, theirs.free], 'POST', 'memberships/', (user: number) => ({ user, company: companies['Obra Sur'], nivel_acceso: 3 })],
    [[theirs.company], 'PATCH', `memberships/${ownMembership}/`, (company: number) => ({ company })],
    [[theirs.user, theirs.free], 'PATCH', `memberships/${ownMembership}/`, (user: number) => ({ user })],
    [[theirs.user, theirs.free], 'PUT', `memberships/${ownMembership}/`, (user: number) => ({ user, company: companies['Obra Norte'], nivel_acceso: 1 })]
  ] as const) {
    t.equal((await indistinguishable(t, [...ids], method, () => url, body)).statusCode, 400)
  }
})

t.test('another customer’s records appear in no filter, search, page or cursor', async (t) => {
  for (const [ids, url] of [
    [[theirs.customer], (id: number) => `companies/?customer=${id}`],
    [[theirs.customer], (id: number) => `users/?customer=${id}`],
    [[theirs.company], (id: number) => `memberships/?company=${id}`],
    [[theirs.user, theirs.free], (id: number) => `memberships/?user=${id}`]
  ] as const) t.match(JSON.parse((await indistinguishable(t, [...ids], 'GET', url)).body), { count: 0, next: null, previous: null, results: None })

  for (const url of ['users/?search=otra', 'users/?search=oscar', 'users/?email=director@otra.example', 'users/?customer=null', 'users/?nivel_acceso=6', 'companies/?search=otra', 'memberships/?search=oscar', 'memberships/?search=otra uno']) {
    t.match((await corporativo.get(url)).json(), { count: 0, results: None }, url)
  }
  for (const resource of ['companies', 'users', 'memberships']) {
    const own = new Set((await psql(resource === 'memberships' ? 'select m.id from memberships m join companies c on c.id = m.company_id where c.customer_id = $1' : `select id from ${resource} where customer_id = $1`, [customers['Constructora Demo']])).map(({ id }) => id))
    for (const query of ['', 'ordering=-id', 'ordering=-updated_at,created_at', 'updated_since=2001-01-01T00:00:00Z', 'page=last']) {
      let seen = 0
      let url: string | null = `${resource}/?page_size=1&${query}`
      while (url !== null) {
        const page: { count: number, next: string | null, results: Array<{ id: number }> } = (await corporativo.get(url)).json()
        t.equal(page.count, own.size)
        seen += page.results.length
        t.ok(page.results.every(({ id }) => own.has(id)), url)
        url = page.next?.split('/api/v1/')[1] ?? null
      }
      t.equal(seen, query === 'page=last' ? 1 : own.size, `${resource} ${query}`)
    }
    const forged = Buffer.from(JSON.stringify(['-id', nobody])).toString('base64url')
    t.equal((await corporativo.get(`${resource}/?cursor=${forged}&ordering=-id&page_size=200`)).json().results.length, own.size, 'a forged cursor changes the start of the list, not its records')
  }
})

t.test('a member without a customer shows only its id, and no search finds it by name', async (t) => {
  const [{ id }] = await psql("insert into memberships (user_id, company_id, nivel_acceso) select id, $1, 1 from users where email = 'soporte@demo.example' returning id", [companies['Obra Norte']]) as [{ id: number }]
  const found = async (search: string) => (await corporativo.get(`memberships/?search=${search}`)).json().results.map((one: { id: number }) => one.id)
  t.ok((await found('obra norte')).includes(id), 'the membership is found by its company')
  for (const search of ['soporte', 'sergio', 'sergio norte', 'soporte@demo.example', 'so']) t.notOk((await found(search)).includes(id), search)
  t.equal((await found('auxiliar norte')).length, 1, 'own members are found by name too')
  const superusuario = await as('superusuario@demo.example')
  t.strictSame((await superusuario.get('memberships/?search=sergio norte')).json().results.map((one: { id: number }) => one.id), [id])
  await psql('delete from memberships where id = $1', [id])
})

t.test('the other customer’s records have not changed', async (t) => t.strictSame(await snapshot(), before))
