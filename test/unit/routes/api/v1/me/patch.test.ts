import t from 'tap'
import { build, type Client } from '../../../../../support/helper.ts'
import { invalid, refuses } from '../../../../../support/invalid.ts'

const { app, as, psql } = await build(t)
const ids = Object.fromEntries((await psql('select nombre, id from companies')).map(({ nombre, id }) => [nombre, id])) as Record<string, number>
const norte = ids['Obra Norte']
const sur = ids['Obra Sur']
const otra = ids['Otra Uno']
const absent = 2_000_000_000
const patch = async (client: Client, body: unknown, headers: Record<string, string> = {}) => await client.send('PATCH', 'me/', body, headers)
const active = async (email: string) => (await psql('select company_id from users where email = $1', [email]))[0]?.['company_id']

t.test('each level may activate the companies it reaches; others are 400 under the field and change nothing', async (t) => {
  const reach: Record<string, number[]> = {
    'auxiliar@demo.example': [norte],
    'coordinador@demo.example': [norte],
    'director@demo.example': [norte, sur],
    'corporativo@demo.example': [norte, sur],
    'soporte@demo.example': [norte, sur, otra],
    'superusuario@demo.example': [norte, sur, otra],
    'director@otra.example': [otra],
    'sincompania@demo.example': []
  }
  for (const [email, companies] of Object.entries(reach)) {
    const client = await as(email)
    for (const company of [norte, sur, otra, absent]) {
      const before = await active(email)
      const response = await patch(client, { company })
      if (companies.includes(company)) {
        t.equal(response.statusCode, 200, `${email}: ${company}`)
        t.equal(response.json().company, company)
        t.strictSame(response.json(), (await client.get('me/')).json(), 'the answer equals that of a GET')
        t.equal((await client.get('contracts/')).json().count, { [norte]: 60, [sur]: 0, [otra]: 25 }[company], 'and applies immediately')
      } else {
        refuses(t, response, { company: ['You do not have access to this company.'] }, `${email}: ${company}`)
        t.equal(await active(email), before)
      }
    }
  }
})

t.test('a company without access and an absent one get the same error, in Spanish too', async (t) => {
  const client = await as('auxiliar@demo.example')
  const bodies = []
  for (const company of [otra, absent]) bodies.push((await patch(client, { company }, { 'accept-language': 'es' })).json())
  t.strictSame(bodies[0], invalid({ company: ['Usted no tiene acceso a esta empresa.'] }, 'es'))
  t.strictSame(bodies[0], bodies[1])
})

t.test('null leaves no active company', async (t) => {
  const client = await as('director@demo.example')
  await patch(client, { company: norte })
  const response = await patch(client, { company: null })
  t.equal(response.statusCode, 200)
  t.match(response.json(), { company: null, nivel_acceso: null, companies: [{ id: norte }, { id: sur }] })
  t.equal((await client.get('contracts/')).json().code, 'no_active_company')
  t.equal((await patch(client, { company: norte })).statusCode, 200, 'and a company can be activated again')
})

t.test('the answer of a GET may be sent back; its read-only fields are ignored', async (t) => {
  const client = await as('director@demo.example')
  await patch(client, { company: norte })
  const me = (await client.get('me/')).json()
  const response = await patch(client, { ...me, id: 1, email: 'x@y.z', nombre: 'x', nivel_acceso: 6, companies: 'rubbish', company: sur })
  t.equal(response.statusCode, 200)
  t.strictSame(response.json(), { ...me, company: sur })
  for (const body of [{}, undefined, { nombre: 'y' }]) t.strictSame((await patch(client, body)).json(), { ...me, company: sur }, 'without `company` nothing changes')
})

t.test('an unknown field or an invalid company changes nothing, and all errors are reported', async (t) => {
  const client = await as('director@demo.example')
  await patch(client, { company: norte })
  const pk = (received: string) => ({ company: [`Incorrect type. Expected pk value, received ${received}.`] })
  for (const [body, errors] of [
    [{ company: sur, compañia: 1 }, { compañia: ['Unknown field.'] }],
    [{ company: 'Obra Sur', activo: false }, { ...pk('str'), activo: ['Unknown field.'] }],
    [{ company: [sur] }, pk('list')],
    [{ company: true }, pk('bool')],
    [{ company: 1.5 }, pk('float')],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }]
  ] as Array<[object, object]>) {
    refuses(t, await patch(client, body), errors, JSON.stringify(body))
  }
  for (const company of [0, -1, 2_147_483_648, 9_007_199_254_740_993n.toString()]) {
    const response = await patch(client, `{"company":${company}}`, { 'content-type': 'application/json' })
    t.equal(response.statusCode, 400, String(company))
    t.strictSame(Object.keys(response.json().errors), ['company'], String(company))
  }
  t.equal(await active('director@demo.example'), norte)
})

t.test('without a token no active company changes', async (t) => {
  const response = await app.inject({ method: 'PATCH', url: '/api/v1/me/', payload: { company: sur } })
  t.equal(response.statusCode, 401)
  t.equal(response.json().code, 'not_authenticated')
})
