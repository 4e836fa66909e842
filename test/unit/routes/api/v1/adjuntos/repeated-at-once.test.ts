import t from 'tap'
import { demoPassword } from '../../../../../../src/domain/demo/data.ts'
import { described, fileOf } from '../../../../../support/attaching.ts'
import { call, tokensOf } from '../../../../../support/over-http.ts'
import { demoPlace, startServer } from '../../../../../support/process.ts'
import { partHeaders } from '../../../../../support/tus.ts'

/** Rounds of each kind. Before the correction, the process ended within seven. */
const rounds = 12

t.test('repetitions of a part that arrive at once end no process', async (t) => {
  const running = await startServer(t, await demoPlace(t), { RATE_LIMIT: 'off' })
  const { origin } = running
  const { access: token } = await tokensOf(origin, 'director@demo.example', demoPassword)
  const neighbour = await tokensOf(origin, 'director@otra.example', demoPassword)
  const { body: { id: contract } } = await call(origin, 'POST', 'contracts/', { token, body: { folio: 'A LA VEZ', monto: '1000.00' } })

  let files = 0
  const attach = async (bytes: number) => {
    const file = fileOf('image/jpeg', `a la vez ${++files}`, bytes)
    const { status, body: { id } } = await call(origin, 'POST', 'adjuntos/', { token, body: { contract, ...described(file, 'image/jpeg') } })
    t.equal(status, 201)
    return { file, id: id as number }
  }
  const patch = async (id: number, part: Buffer, offset: number) => {
    const answer = await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, {
      method: 'PATCH', body: new Uint8Array(part), headers: { ...partHeaders(offset), authorization: `Bearer ${token}` }
    })
    return { status: answer.status, wait: answer.headers.get('retry-after'), body: await answer.json().catch(() => undefined) }
  }
  /** Sends parts at once. Meanwhile, a user of another customer is answered. @returns the statuses, each once */
  const round = async (id: number, parts: Array<[part: Buffer, offset: number]>) => {
    const [me, ...answers] = await Promise.all([
      call(origin, 'GET', 'me/', { token: neighbour.access }), ...parts.map(async ([part, offset]) => await patch(id, part, offset))
    ])
    t.equal(me.status, 200, 'other callers are answered')
    for (const { status, body, wait } of answers) {
      if (status === 503) t.match(wait, /^\d+$/, 'busy: later')
      if (status === 409) t.match(body, { code: 'conflict', detail: /^The server needs the bytes from offset \d+ on\.$/ })
    }
    return answers.map(({ status }) => status)
  }
  const state = async (id: number) => (await call(origin, 'GET', `adjuntos/${id}/`, { token })).body.estado

  await t.test('of the last part', async (t) => {
    for (let n = 0; n < rounds; n++) {
      const { file, id } = await attach(400_000)
      t.equal((await patch(id, file.subarray(0, 300_000), 0)).status, 204)
      const last: [Buffer, number] = [file.subarray(300_000), 300_000]
      const statuses = await round(id, [last, last, last, last])
      t.ok(statuses.includes(204), String(statuses))
      t.strictSame(statuses.filter(status => ![204, 409, 503].includes(status)), [], 'the others are done too, or ask for the offset again')
      t.equal(await state(id), 'listo')
    }
  })

  await t.test('of whole files, right and wrong ones', async (t) => {
    for (let n = 0; n < rounds; n++) {
      const { file, id } = await attach(50_000)
      const wrong = Buffer.from(file).fill('x', 40_000)
      const statuses = await round(id, [[file, 0], [wrong, 0], [file, 0], [wrong, 0]])
      t.strictSame(statuses.filter(status => ![204, 400, 409, 503].includes(status)), [], String(statuses))
      for (let tries = 0; tries < 10 && await state(id) !== 'listo'; tries++) await patch(id, file, 0)
      t.equal(await state(id), 'listo')
    }
  })

  const { code, stderr } = await running.end()
  t.equal(code, 0)
  t.equal(stderr, '')
})
