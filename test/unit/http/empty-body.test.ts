import t from 'tap'
import { build } from '../../support/helper.ts'
import { invalid } from '../../support/invalid.ts'

const { app, as } = await build(t, { RATE_LIMIT: 'off' })
const director = await as('director@demo.example')
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const types = ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded;charset=utf-8', 'multipart/form-data; boundary=x', 'text/plain', 'application/json; charset=latin1', 'nonsense', '']
const missing = invalid({ folio: ['This field is required.'] })

t.test('an empty body has no media type to refuse', async (t) => {
  for (const type of types) {
    const send = async (url: string) => await director.send('POST', url, undefined, { 'content-type': type })
    const response = await send('contracts/')
    t.strictSame([response.statusCode, response.json()], [400, missing], type)
    t.equal((await send('webhooks/999999/skip/')).statusCode, 404, 'a route without a body runs')
    t.equal((await director.send('PATCH', 'contracts/1/', undefined, { 'content-type': type })).statusCode, 200)
    t.equal((await director.send('DELETE', 'contracts/999999/', undefined, { 'content-type': type })).statusCode, 404)
  }
})

t.test('a chunked body can be empty too, and one with content keeps its media type', async (t) => {
  const post = async (type: string, content: string) => await fetch(`${origin}/api/v1/contracts/`, {
    method: 'POST', headers: { authorization: `Bearer ${director.access}`, 'content-type': type }, body: new Blob([content]).stream(), duplex: 'half'
  })
  const empty = await post('application/x-www-form-urlencoded', '')
  t.strictSame([empty.status, await empty.json()], [400, missing])
  const full = await post('application/x-www-form-urlencoded', 'folio=x')
  t.strictSame([full.status, await full.json()], [415, { detail: 'Unsupported media type "application/x-www-form-urlencoded" in request.', code: 'unsupported_media_type' }])
})
