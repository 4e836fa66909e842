import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { made, samples } from '../bulk/samples.ts'

for (const { name, item } of samples) {
  t.test(`Idempotency-Key on ${name}`, async (t) => {
    const { as, psql } = await build(t)
    const [director, coordinador, other] = await Promise.all([as('director@demo.example'), as('coordinador@demo.example'), as('director@otra.example')])
    const count = async () => (await psql(`select from ${name} where company_id = 1`)).length
    const under = (key: string, headers = {}) => ({ 'idempotency-key': key, ...headers })

    t.test('an answer is replayed identically', async (t) => {
      for (const [url, body] of [[`${name}/`, item(1)], [`${name}/bulk/`, { items: [item(2), item(3)] }]] as const) {
        const first = await director.post(url, body, under('una'))
        t.equal(first.statusCode, 201)
        t.equal(first.headers['idempotency-replayed'], undefined)
        const records = await count()
        for (const address of [url, url.slice(0, -1), url]) {
          const again = await director.post(address, body, under('una', { 'accept-language': 'es' }))
          t.equal(again.statusCode, 201)
          t.equal(again.body, first.body)
          t.equal(again.headers['idempotency-replayed'], 'true')
          for (const header of ['location', 'etag', 'content-type', 'content-length', 'cache-control']) t.equal(again.headers[header], first.headers[header], header)
        }
        t.equal(await count(), records)
      }
      t.match((await director.post(`${name}/`, item(1), under('una'))).headers, { location: /\/\d+\/$/, etag: /^"1\.\d+\..+\.1\.\w+"$/ })
    })

    t.test('an equal request in another form is the same; a different one is 422', async (t) => {
      const text = name === 'contrapartes' ? 'notas' : 'descripcion'
      const first = await director.post(`${name}/`, { ...item(10), [text]: 'igual' }, under('dos'))
      const json = { 'content-type': 'application/json' }
      const fields = Object.entries({ ...item(10), [text]: ' igual ' }).reverse().map(([field, value]) => `${JSON.stringify(field)} : ${JSON.stringify(value)}`)
      t.equal((await director.send('POST', `${name}/`, `{ ${fields.join(' ,\n')} }`, under('dos', json))).body, first.body, 'another order and spaces')
      const records = await count()
      for (const body of [{ ...item(10), [text]: 'otra' }, item(10), {}, { ...item(10), [text]: 'igual', nada: 1 }, { ...item(10), [text]: 'igual', company: 2 }]) {
        const response = await director.post(`${name}/`, body, under('dos'))
        t.equal(response.statusCode, 422, JSON.stringify(body))
        t.strictSame(response.json(), { detail: 'This Idempotency-Key was used with another request.', code: 'idempotency_mismatch' })
      }
      t.equal((await director.post(`${name}/`, {}, under('dos', { 'accept-language': 'es' }))).json().detail, 'Este Idempotency-Key se usó con otra solicitud.')
      t.equal(await count(), records)
    })

    t.test('a key belongs to one user, one company and one route', async (t) => {
      const mine = (await director.post(`${name}/`, { ...item(20), external_id: 'mio' }, under('tres'))).json()
      const theirs = await coordinador.post(`${name}/`, { ...item(21), external_id: 'suyo' }, under('tres'))
      t.equal(theirs.statusCode, 201)
      t.not(theirs.json().id, mine.id)
      t.equal((await director.post(`${name}/bulk/`, { items: [item(22)] }, under('tres'))).statusCode, 201)
      const foreign = await other.post(`${name}/`, { ...item(20), external_id: 'mio' }, under('tres'))
      t.equal(foreign.headers['idempotency-replayed'], undefined)
      t.not(foreign.json().id, mine.id)

      await director.send('PATCH', 'me/', { company: 2 })
      const elsewhere = await director.post(`${name}/`, { ...item(20), external_id: 'mio' }, under('tres'))
      t.equal(elsewhere.headers['idempotency-replayed'], undefined, 'in another company it is another request')
      if (name !== 'estimates') t.match(elsewhere.json(), { company: 2 })
      await director.send('PATCH', 'me/', { company: 1 })
      t.strictSame((await director.post(`${name}/`, { ...item(20), external_id: 'mio' }, under('tres'))).json(), mine)
    })

    t.test('a refusal is not stored: the key can be used for a valid request', async (t) => {
      t.equal((await director.post(`${name}/`, { company: 2 }, under('cuatro'))).statusCode, 400)
      t.equal((await director.post(`${name}/`, [], under('cuatro'))).statusCode, 400)
      t.equal((await (await as('auxiliar@demo.example')).post(`${name}/`, item(30), under('cuatro'))).statusCode, 403)
      t.strictSame(await psql("select from idempotency_keys where key = 'cuatro'"), [])
      const made = await director.post(`${name}/`, item(30), under('cuatro'))
      t.equal(made.statusCode, 201)
      t.equal(made.headers['idempotency-replayed'], undefined)
    })

    t.test('the original answer is replayed after the record is changed or deleted', async (t) => {
      const first = await director.post(`${name}/`, { ...item(40), external_id: 'ido' }, under('cinco'))
      const { id } = first.json()
      await director.send('PATCH', `${name}/${id}/`, { external_id: 'cambiado' })
      t.equal((await director.post(`${name}/`, { ...item(40), external_id: 'ido' }, under('cinco'))).body, first.body)
      t.equal((await director.send('DELETE', `${name}/${id}/`)).statusCode, 204)
      t.equal((await director.post(`${name}/`, { ...item(40), external_id: 'ido' }, under('cinco'))).body, first.body)
      t.equal((await director.get(`${name}/${id}/`)).statusCode, 404)
    })

    t.test('other methods ignore the header', async (t) => {
      const { id } = await made(director, name, item(60))
      for (const given of ['uno', 'dos']) t.equal((await director.send('PATCH', `${name}/${id}/`, { external_id: given }, under('siete'))).json().external_id, given)
    })
  })
}

t.test('amounts in different notations are the same request', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const send = async (url: string, json: string, key: string) => await director.send('POST', url, json, { 'idempotency-key': key, 'content-type': 'application/json' })
  const first = await send('contracts/', '{"folio":"I-1","monto":"1500.50"}', 'm')
  for (const amount of ['1500.5', '1500.50', '"1500.5"', '" 01500.5 "']) t.equal((await send('contracts/', `{"folio":" I-1 ","monto":${amount}}`, 'm')).body, first.body, amount)
  t.equal((await send('contracts/', '{"folio":"I-1","monto":1500.51}', 'm')).statusCode, 422)

  const deep = '['.repeat(60_000) + ']'.repeat(60_000)
  t.equal((await send('contracts/', `{"folio":"I-2","id":${deep}}`, 'd')).statusCode, 201, 'the value of a read-only field may be nested up to the limit on values')
  t.equal((await send('contracts/', '{"folio":"I-2"}', 'd')).headers['idempotency-replayed'], 'true')
  t.strictSame((await send('contracts/', `{"folio":"I-3","estado":${deep}}`, 'e')).json().errors, { estado: ['"list" is not a valid choice. Valid choices: vigente, suspendido, terminado, cancelado.'] })

  const long = { items: Array.from({ length: 60 }, (_, index) => ({ folio: `L-${index}`, descripcion: '👷'.repeat(2000) })) }
  const many = await director.post('contracts/bulk/', long, { 'idempotency-key': 'l' })
  t.equal(many.statusCode, 201)
  const again = await director.post('contracts/bulk/', long, { 'idempotency-key': 'l' })
  t.ok(again.body === many.body && again.body.length > 60 * 4000 && again.headers['idempotency-replayed'] === 'true', 'long answers are stored completely')
})
