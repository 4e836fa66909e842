import t from 'tap'
import { resources } from '../../../../../../src/domain/resources.ts'
import { usualOf } from '../../../../../../src/resources/feed/cursor.ts'
import { build } from '../../../../../support/helper.ts'

const server = await build(t)
const { as, psql } = server
const director = await as('director@demo.example')
const url = 'https://erp.obra.example/obra'
const usual = usualOf(resources)
const everything = usual.flatMap(name => [`${name}.created`, `${name}.updated`, `${name}.deleted`])

t.test('a webhook is created with all events, and its secret is shown only once', async (t) => {
  const made = await director.post('webhooks/', { url })
  t.equal(made.statusCode, 201)
  const { id, secret, ...record } = made.json()
  t.match(secret, /^whsec_[A-Za-z\d+/]{43}=$/)
  t.match(record, { company: 1, url, events: everything, descripcion: '', batch: 1, activo: true, motivo_inactivo: null, external_id: null, version: 1 })
  const read = await director.get(`webhooks/${id}/`)
  t.strictSame(read.json(), { id, ...record })
  t.strictSame((await director.get('webhooks/?search=erp.obra')).json().results, [{ id, ...record }])
  const [stored] = await psql('select w.*::text as text from webhooks w where id = $1', [id])
  t.notMatch(JSON.stringify(stored), secret.slice(6), 'the database has it only encrypted')
  t.equal((await director.send('PUT', `webhooks/${id}/`, { ...record, secret, descripcion: 'ERP' })).json().descripcion, 'ERP', 'the answer can be sent back')
})

t.test('an answer under an Idempotency-Key shows the secret again, and is stored without it', async (t) => {
  const made = await director.post('webhooks/', { url: `${url}/key` }, { 'idempotency-key': 'once' })
  const again = await director.post('webhooks/', { url: `${url}/key` }, { 'idempotency-key': 'once' })
  t.match(again.headers, { 'idempotency-replayed': 'true' })
  t.equal(again.body, made.body)
  const rows = await psql("select body from idempotency_keys where key = 'once'")
  t.equal(rows.length, 1)
  t.notMatch(rows[0]?.['body'], 'whsec_')
  t.notMatch(rows[0]?.['body'], made.json().secret.slice(6))
})

t.test('all problems of a body are reported together', async (t) => {
  const wrong = await director.post('webhooks/', { url: 'http://10.0.0.1/', events: ['contracts.created', 'x'], batch: 101, secrets: 'x', foo: 1 })
  t.equal(wrong.statusCode, 400)
  t.strictSame(Object.keys(wrong.json().errors).sort(), ['batch', 'events.1', 'foo', 'secrets', 'url'])
  t.strictSame((await director.post('webhooks/', {})).json().errors, { url: ['This field is required.'] })
  t.strictSame((await director.post('webhooks/', { url: `${url}/none`, events: [] })).json().errors, { events: ['Ensure this field has at least 1 elements.'] })
})

t.test('events and address change, in the order of the declaration', async (t) => {
  const { id } = (await director.post('webhooks/', { url: `${url}/1`, events: ['estimates.deleted', 'contracts.created', 'contracts.created'] })).json()
  const path = `webhooks/${id}/`
  t.strictSame((await director.get(path)).json().events, ['contracts.created', 'estimates.deleted'])
  t.match((await director.send('PATCH', path, { events: everything, url: `${url}/2` })).json(), { events: everything, url: `${url}/2`, version: 2 })
  t.strictSame(await psql('select events from webhooks where id = $1', [id]), [{ events: '' }], 'all events include those of future resources')
  t.strictSame((await director.send('PATCH', path, { url: 'http://192.168.0.1/' })).statusCode, 400)
  t.equal((await director.send('DELETE', path)).statusCode, 204)
  t.equal((await director.get(path)).statusCode, 404)
})

t.test('a URL whose normal form is too long is refused', async (t) => {
  const { id } = (await director.post('webhooks/', { url: `${url}/short` })).json()
  const long = `https://erp.obra.example/${'ñ'.repeat(500)}`
  const answers = [await director.post('webhooks/', { url: long }), await director.post('webhooks/', { url: long }, { 'idempotency-key': 'long' }), await director.send('PATCH', `webhooks/${id}/`, { url: long })]
  for (const answer of answers) t.match([answer.statusCode, answer.json().errors], [400, { url: ['Enter a valid URL with at most 2048 characters.'] }])
})

t.test('a company has one webhook per address, in its normal form', async (t) => {
  const address = 'https://one.obra.example/'
  const taken = 'Another webhook of the company has this address. Change that webhook, or use another address.'
  const made = (await director.post('webhooks/', { url: 'HTTPS://One.obra.example:443' })).json()
  t.equal(made.url, address)
  for (const same of [address, 'https://ONE.obra.example', 'https://one.obra.example:443/x/..']) {
    const refused = await director.post('webhooks/', { url: same })
    t.match([refused.statusCode, refused.json().errors], [400, { url: [taken] }], same)
  }
  const { id } = (await director.post('webhooks/', { url: `${address}?other` })).json()
  const moved = await director.send('PATCH', `webhooks/${id}/`, { url: address })
  t.match([moved.statusCode, moved.json().errors], [400, { url: [taken] }])
  const stranger = await as('director@otra.example')
  const elsewhere = await stranger.post('webhooks/', { url: address })
  t.equal(elsewhere.statusCode, 201, 'another company')
  await stranger.send('DELETE', `webhooks/${elsewhere.json().id}/`)

  const answers = await Promise.all(Array.from({ length: 5 }, async () => await director.post('webhooks/', { url: `${address}at-once` })))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 400, 400, 400, 400])

  const others = await Promise.all(['a', 'b', 'c'].map(async name => (await director.post('webhooks/', { url: `${address}${name}` })).json()))
  const moves = await Promise.all(others.map(async other => await director.send('PATCH', `webhooks/${other.id}/`, { url: `${address}moved` })))
  t.strictSame(moves.map(({ statusCode }) => statusCode).sort(), [200, 400, 400], 'changes at once')
  t.strictSame(await psql('select url from webhooks where company_id = 1 group by url having count(*) > 1'), [])

  await psql('update webhooks set url = $1 where id = $2', [address, id])
  const { secret, ...fields } = { ...made, descripcion: 'ERP', batch: 3 }
  t.match((await director.send('PUT', `webhooks/${id}/`, fields)).json(), { id, batch: 3 }, 'one of an earlier release keeps its address')
  t.match((await director.send('PATCH', `webhooks/${id}/`, { url: `${address}new` })).json(), { url: `${address}new` })
})

t.test('webhooks of a company that moves to another customer are switched off', async (t) => {
  const root = await as('superusuario@demo.example')
  const [customer, next] = (await Promise.all(['Antes', 'Luego'].map(async nombre => (await root.post('customers/', { nombre })).json().id)))
  const { id: company } = (await root.post('companies/', { nombre: 'Mudanza', customer })).json()
  await psql("insert into webhooks (company_id, url, secrets) values ($1, 'https://old.obra.example/', '')", [company])
  const revision = async () => (await psql('select revision from company_revisions where company_id = $1', [company]))[0]?.['revision']
  const before = await revision()
  t.equal((await root.send('PATCH', `companies/${company}/`, { nombre: 'Mudada' })).statusCode, 200)
  t.match(await psql('select activo from webhooks where company_id = $1', [company]), [{ activo: true }])
  t.equal((await root.send('PATCH', `companies/${company}/`, { customer: next })).statusCode, 200)
  t.strictSame(await psql('select activo, motivo_inactivo from webhooks where company_id = $1', [company]), [{ activo: false, motivo_inactivo: 'The company has moved to another customer.' }])
  t.strictSame(await psql('select activo from webhook_cursors where company_id = $1', [company]), [{ activo: false }])
  t.ok(await revision() > before)
})

t.test('levels 3, 4 and 6 have access, in their company only', async (t) => {
  const { id } = (await director.post('webhooks/', { url: `${url}/levels` })).json()
  const requests = [['GET', ''], ['POST', '', { url }], ['GET', `${id}/`], ['PUT', `${id}/`, { url }], ['PATCH', `${id}/`, { batch: 2 }], ['DELETE', `${id}/`], ['GET', `${id}/deliveries/`],
    ['POST', `${id}/rotate/`], ['POST', `${id}/test/`], ['POST', `${id}/replay/`, { since: 0 }], ['POST', `${id}/skip/`]] as const
  for (const email of ['auxiliar@demo.example', 'coordinador@demo.example', 'soporte@demo.example']) {
    const caller = await as(email)
    if (email.startsWith('soporte')) await caller.send('PATCH', 'me/', { company: 1 })
    for (const [method, path, body] of requests) {
      const { statusCode, json } = await caller.send(method, `webhooks/${path}`, body)
      t.strictSame([statusCode, json().code], [403, 'permission_denied'], `${email} ${method} ${path}`)
    }
  }
  const stranger = await as('director@otra.example')
  for (const [method, path, body] of requests.filter(([, path]) => path !== '')) t.equal((await stranger.send(method, `webhooks/${path}`, body)).statusCode, 404, `${method} ${path}`)
  t.equal((await stranger.get('webhooks/')).json().count, 0)
  t.equal((await (await as('corporativo@demo.example')).get(`webhooks/${id}/`)).statusCode, 200)
})

t.test('a company has at most 100 webhooks', async (t) => {
  const stranger = await as('director@otra.example')
  for (let number = 0; number < 98; number++) if ((await stranger.post('webhooks/', { url: `${url}/${number}` })).statusCode !== 201) t.fail(`webhook ${number}`)
  const answers = await Promise.all(['a', 'b', 'b', 'c', 'd'].map(async name => await stranger.post('webhooks/', { url: `${url}/${name}` })))
  t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [201, 201, 400, 400, 400], 'creates at once')
  t.equal((await stranger.get('webhooks/?page_size=1')).json().count, 100)
  const full = { non_field_errors: ['The company has as many webhooks as possible.'] }
  for (const headers of [{}, { 'idempotency-key': 'full' }] as Array<Record<string, string>>) {
    const more = await stranger.post('webhooks/', { url: `${url}/more` }, headers)
    t.strictSame([more.statusCode, more.json().errors], [400, full])
  }
  const { results: [{ id }] } = (await stranger.get('webhooks/')).json()
  t.equal((await stranger.send('PATCH', `webhooks/${id}/`, { batch: 5 })).statusCode, 200, 'the others can change')
})

t.test('webhooks are not part of the change feed', async (t) => {
  let page = (await director.get('changes/?page_size=1000')).json()
  while (page.has_more) page = (await director.get(`changes/?cursor=${page.cursor}`)).json()
  t.equal((await director.post('webhooks/', { url: `${url}/feed` })).statusCode, 201)
  const next = (await director.get(`changes/?cursor=${page.cursor}`)).json()
  t.strictSame([next.changes, next.has_more, Object.keys(next.counts)], [[], false, usual])
})

t.test('in production, webhooks need WEBHOOK_KEY', async (t) => {
  const { as } = await build(t, { NODE_ENV: 'production' })
  const made = await (await as('director@demo.example')).post('webhooks/', { url })
  t.match([made.statusCode, made.json()], [503, { code: 'unavailable', detail: /WEBHOOK_KEY/ }])
})
