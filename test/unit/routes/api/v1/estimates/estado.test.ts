import t from 'tap'
import { estimating, states } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

const allowed = new Set([
  'borrador enviada', 'borrador cancelada', 'enviada autorizada', 'enviada rechazada', 'enviada borrador', 'enviada cancelada', 'autorizada pagada', 'autorizada enviada', 'rechazada borrador'
])

/** The message of a change that is not allowed. It names the allowed ones. */
function refusal (from: string, to: string): string {
  const next = [...allowed].filter(pair => pair.startsWith(`${from} `)).map(pair => pair.split(' ')[1])
  const final = from === 'pagada' ? 'It changes to "autorizada" when a payment is deleted.' : 'It is final.'
  return `"${from}" cannot change to "${to}". ${next.length === 0 ? final : `It can change to: ${next.join(', ')}.`}`
}

t.test('the estado of an estimate', async (t) => {
  const { director, contract, estimate, send, change, read } = await estimating(t)

  await t.test('changes only as in the table of transitions, by PATCH and by PUT', async (t) => {
    const id = await contract()
    for (const from of states) {
      for (const to of states) {
        const method = to.length % 2 === 0 ? 'PATCH' : 'PUT'
        const before = await estimate(id, { monto: '0.10' }, from)
        const response = await director.send(method, `estimates/${before['id']}/`, { contract: id, estado: to, motivo_rechazo: 'Faltan generadores' })
        if (from === to || allowed.has(`${from} ${to}`)) {
          t.equal(response.statusCode, 200, `${from} to ${to}: ${response.body}`)
          t.match(response.json(), { estado: to, motivo_rechazo: 'Faltan generadores', version: before['version'] + 1 })
          t.strictSame(await read(before['id']), response.json())
        } else {
          refuses(t, response, { estado: [refusal(from, to)] }, `${from} to ${to}`)
          t.strictSame(await read(before['id']), before)
        }
      }
    }
  })

  await t.test('rechazada requires a reason, also at the second rejection', async (t) => {
    const { id } = await estimate(await contract(), { motivo_rechazo: 'de antes' }, 'enviada')
    for (const body of [{}, { motivo_rechazo: '' }, { motivo_rechazo: '  ' }]) {
      const refused = await send(id, { estado: 'rechazada', ...body })
      t.equal(refused.statusCode, 400)
      t.strictSame(refused.json().errors, { motivo_rechazo: ['This field is required.'] })
    }
    t.strictSame((await send(id, { estado: 'rechazada' }, 'es')).json().errors, { motivo_rechazo: ['Este campo es requerido.'] })
    t.match(await change(id, { estado: 'rechazada', motivo_rechazo: ' Sin firma ' }), { estado: 'rechazada', motivo_rechazo: 'Sin firma' })

    await change(id, { estado: 'borrador' })
    await change(id, { estado: 'enviada' })
    t.strictSame((await send(id, { estado: 'rechazada' })).json().errors, { motivo_rechazo: ['This field is required.'] }, 'the reason of the first rejection does not count')
    const whole = await read(id)
    t.equal(whole['motivo_rechazo'], 'Sin firma')
    const put = await director.send('PUT', `estimates/${id}/`, { ...whole, estado: 'rechazada' })
    t.match([put.statusCode, put.json().motivo_rechazo], [200, 'Sin firma'], 'the same reason counts if it is sent')
  })

  await t.test('is reported with all other errors', async (t) => {
    const one = await contract()
    const { id } = await estimate(one, {}, 'autorizada')
    const refused = await send(id, { estado: 'rechazada', contract: 999_999, factura_uuid: 'x', periodo_inicio: '2026-01-01', foo: 1 })
    t.equal(refused.statusCode, 400)
    t.strictSame(refused.json().errors, {
      foo: ['Unknown field.'],
      factura_uuid: ['Must be a valid UUID.'],
      periodo_fin: ['Send both periodo_inicio and periodo_fin, or neither.'],
      contract: ['This field cannot be changed.'],
      estado: ['"autorizada" cannot change to "rechazada". It can change to: pagada, enviada.']
    })
  })

  await t.test('reaches only one final state with concurrent changes', async (t) => {
    for (let round = 0; round < 4; round++) {
      const { id } = await estimate(await contract(), {}, 'enviada')
      const answers = await Promise.all(['autorizada', 'cancelada', 'rechazada', 'autorizada', 'cancelada'].map(async estado =>
        ({ estado, response: await send(id, { estado, motivo_rechazo: 'No' }) })))
      const { estado: end } = await read(id)
      for (const { estado, response } of answers) t.equal(response.statusCode, estado === end ? 200 : 400, `${estado} while ${end}`)
    }
  })

  await t.test('cannot move an estimate to another contract', async (t) => {
    const [one, two] = [await contract(), await contract()]
    const { id } = await estimate(one)
    t.strictSame((await send(id, { contract: two })).json().errors, { contract: ['This field cannot be changed.'] })
    t.strictSame((await send(id, { contract: two }, 'es')).json().errors, { contract: ['Este campo no puede cambiarse.'] })
    t.equal((await send(id, { contract: one })).statusCode, 200)
    t.strictSame((await director.send('PUT', `estimates/${id}/`, {})).json().errors, { contract: ['This field is required.'] })
  })
})
