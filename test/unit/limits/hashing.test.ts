import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { build } from '../../support/helper.ts'
import { until } from '../../support/until.ts'

t.test('many password hashes of one customer do not delay the log-ins and password changes of others', async (t) => {
  const { app, as } = await build(t, { RATE_LIMIT: 'off' })
  const [corporativo, director] = [await as('corporativo@demo.example'), await as('director@otra.example')]
  const finished: string[] = []
  const finish = async (name: string, request: Promise<{ statusCode: number }>) => {
    const { statusCode } = await request
    finished.push(name)
    return statusCode
  }
  const flood = Array.from({ length: 60 }, async (_, index) => await finish('flood', index % 3 === 0
    ? corporativo.send('POST', 'users/', { email: 'x', password: 'another password' }, { 'idempotency-key': `key ${index}` })
    : corporativo.send('PATCH', 'users/999999/', { password: 'another password' })))
  await until(() => finished.length >= 5)
  const before = finished.length
  const others = await Promise.all([
    finish('log-in', app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'superusuario@demo.example', password: demoPassword }, remoteAddress: '192.0.2.1' })),
    finish('refusal', app.inject({ method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'nobody@demo.example', password: demoPassword }, remoteAddress: '192.0.2.2' })),
    finish('change', director.post('me/password/', { current: 'wrong', new: 'another password' }))
  ])
  t.strictSame(others, [200, 401, 400])
  const meanwhile = finished.slice(before).filter(name => name === 'flood').length
  t.ok(meanwhile <= 30, `${meanwhile} of the flood's requests were answered before the others`)
  t.strictSame([...new Set(await Promise.all(flood))].sort(), [400, 404])
})
