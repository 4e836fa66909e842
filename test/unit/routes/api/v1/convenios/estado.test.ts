import t from 'tap'
import { agreeing, convenioStates } from '../../../../../support/agreeing.ts'
import { invalid, refuses } from '../../../../../support/invalid.ts'

const allowed = new Set([
  'borrador enviado', 'borrador cancelado', 'enviado autorizado', 'enviado rechazado', 'enviado borrador', 'enviado cancelado',
  'autorizado firmado', 'autorizado borrador', 'autorizado cancelado', 'rechazado borrador'
])

/** The message of a change that is not allowed. It names the allowed ones. */
function refusal (from: string, to: string): string {
  const next = [...allowed].filter(pair => pair.startsWith(`${from} `)).map(pair => pair.split(' ')[1])
  return `"${from}" cannot change to "${to}". ${next.length === 0 ? 'It is final.' : `It can change to: ${next.join(', ')}.`}`
}

const all = { fecha_autorizacion: '2026-04-20', fecha_firma: '2026-05-04', motivo_rechazo: 'Falta el dictamen' }
const required = ['This field is required.']

t.test('the estado of a change order', async (t) => {
  const { as, director, contract, convenio, to, get } = await agreeing(t)
  const coordinador = await as('coordinador@demo.example')
  const patch = async (id: number, fields: object) => await director.send('PATCH', `convenios/${id}/`, fields)

  await t.test('changes only as in the table of transitions, by PATCH and by PUT', async (t) => {
    for (const from of convenioStates) {
      for (const next of convenioStates) {
        const method = next.length % 2 === 0 ? 'PATCH' : 'PUT'
        const id = await contract()
        const before = await convenio(id, { monto: '10' }, from)
        const response = await director.send(method, `convenios/${before['id']}/`, { contract: id, estado: next, ...all })
        if (from === next || allowed.has(`${from} ${next}`)) {
          t.equal(response.statusCode, 200, `${from} to ${next}: ${response.body}`)
          t.match(response.json(), { estado: next, monto: '10.00', version: before['version'] + 1 })
          t.strictSame(await get(`convenios/${before['id']}/`), response.json())
        } else {
          refuses(t, response, { estado: [refusal(from, next)] }, `${from} to ${next}`)
          t.strictSame(await get(`convenios/${before['id']}/`), before)
        }
      }
    }
  })

  await t.test('is borrador for a new record', async (t) => {
    const id = await contract()
    t.match(await convenio(id), { estado: 'borrador', monto: '0.00', dias: 0, con_anticipo: false, fecha_autorizacion: null, fecha_firma: null, folio: '' })
    refuses(t, await director.post('convenios/', { contract: id, estado: 'firmado', ...all }), { estado: ['A new record must start as "borrador".'] })
  })

  await t.test('rechazado requires a reason, also at the second rejection', async (t) => {
    const { id } = await convenio(await contract(), { motivo_rechazo: 'de antes' }, 'enviado')
    for (const body of [{}, { motivo_rechazo: '' }, { motivo_rechazo: '  ' }]) refuses(t, await patch(id, { estado: 'rechazado', ...body }), { motivo_rechazo: required })
    t.match((await to(id, 'rechazado')).json(), { estado: 'rechazado', motivo_rechazo: 'Falta el dictamen' })
    for (const estado of ['borrador', 'enviado']) await to(id, estado)
    refuses(t, await patch(id, { estado: 'rechazado' }), { motivo_rechazo: required }, 'the reason of the first rejection does not count')
    t.equal((await to(id, 'rechazado')).statusCode, 200)
  })

  await t.test('autorizado requires the day of the order and firmado that of the signature, which can be sent before', async (t) => {
    const { id } = await convenio(await contract(), {}, 'enviado')
    refuses(t, await patch(id, { estado: 'autorizado' }), { fecha_autorizacion: required })
    refuses(t, await patch(id, { estado: 'autorizado', fecha_autorizacion: null }), { fecha_autorizacion: required })
    t.equal((await patch(id, { fecha_autorizacion: '2026-04-20' })).statusCode, 200)
    t.match((await patch(id, { estado: 'autorizado' })).json(), { estado: 'autorizado', fecha_autorizacion: '2026-04-20' })
    refuses(t, await patch(id, { estado: 'firmado' }), { fecha_firma: required })
    refuses(t, await patch(id, { fecha_autorizacion: null }), { fecha_autorizacion: required }, 'an authorized one keeps it')
    t.match((await patch(id, { estado: 'firmado', fecha_firma: '2026-05-04' })).json(), { estado: 'firmado', fecha_firma: '2026-05-04' })
    refuses(t, await patch(id, { fecha_firma: null }), { fecha_firma: required })
  })

  await t.test('borrador after autorizado clears the day of the order, unless the request has that of the next one', async (t) => {
    const id = await contract()
    const [first, second] = [await convenio(id, {}, 'autorizado'), await convenio(id, {}, 'autorizado')]
    t.match((await to(first['id'], 'borrador')).json(), { estado: 'borrador', fecha_autorizacion: null })
    await to(first['id'], 'enviado')
    refuses(t, await patch(first['id'], { estado: 'autorizado' }), { fecha_autorizacion: required })
    t.match((await to(second['id'], 'borrador', { fecha_autorizacion: '2026-06-01' })).json(), { estado: 'borrador', fecha_autorizacion: '2026-06-01' })
  })

  await t.test('fixes monto, dias and con_anticipo outside borrador; texts and external_id stay writable', async (t) => {
    const conflict = { detail: 'Amount, days, advance, concepts and programme can only be changed while the change order is a "borrador".', code: 'conflict' }
    for (const state of convenioStates) {
      const { id } = await convenio(await contract(), { monto: '5', dias: 0 }, state)
      for (const change of [{ monto: '6' }, { dias: 1 }, { con_anticipo: true }]) {
        const response = await patch(id, change)
        if (state === 'borrador') t.equal(response.statusCode, 200)
        else t.strictSame([response.statusCode, response.json()], [409, conflict], `${state}: ${JSON.stringify(change)}`)
      }
      const texts = { folio: 'CM-1', descripcion: 'Anotado', external_id: `ERP-${state}` }
      t.match((await patch(id, texts)).json(), texts, state)
    }
    const { id } = await convenio(await contract(), { monto: '5' }, 'firmado')
    const spanish = await director.send('PATCH', `convenios/${id}/`, { monto: '6' }, { 'accept-language': 'es' })
    t.strictSame(spanish.json(), { detail: 'El monto, los días, el anticipo, los conceptos y el programa solo pueden cambiarse mientras el convenio sea un "borrador".', code: 'conflict' })
    const whole = await get(`convenios/${id}/`)
    t.equal((await director.send('PUT', `convenios/${id}/`, whole)).statusCode, 200, 'a record can be sent back')
  })

  await t.test('a Coordinador sends, takes back and cancels; a Director decides, and undoes or corrects a decision', async (t) => {
    const denied = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }
    const attempt = async (id: number, fields: object) => await coordinador.send('PATCH', `convenios/${id}/`, fields)
    const refused = async (id: number, fields: object) => {
      const response = await attempt(id, fields)
      t.strictSame([response.statusCode, response.json()], [403, denied], JSON.stringify(fields))
      return response
    }
    const { id } = (await coordinador.post('convenios/', { contract: await contract(), monto: '5', fecha_autorizacion: '2026-04-19' })).json()
    for (const estado of ['enviado', 'borrador', 'enviado']) t.match((await attempt(id, { estado })).json(), { estado })
    for (const estado of ['autorizado', 'rechazado', 'firmado']) await refused(id, { estado, ...all })
    await to(id, 'autorizado')
    for (const estado of ['borrador', 'cancelado', 'firmado']) await refused(id, { estado, ...all })
    await refused(id, { fecha_autorizacion: '2026-04-21' })
    t.equal((await attempt(id, { descripcion: 'Anotado', fecha_autorizacion: '2026-04-20' })).statusCode, 200, 'the same day is no change')
    t.match((await patch(id, { fecha_autorizacion: '2026-04-21' })).json(), { fecha_autorizacion: '2026-04-21' })
    const rejected = await convenio(await contract(), {}, 'rechazado')
    t.match((await attempt(rejected['id'], { estado: 'borrador', motivo_rechazo: '' })).json(), { estado: 'borrador', motivo_rechazo: '' })
    t.match((await attempt(rejected['id'], { estado: 'cancelado' })).json(), { estado: 'cancelado' })
    t.equal((await coordinador.send('DELETE', `convenios/${id}/`)).statusCode, 403)
  })

  await t.test('is refused in Spanish too', async (t) => {
    const { id } = await convenio(await contract(), {}, 'enviado')
    const response = await director.send('PATCH', `convenios/${id}/`, { estado: 'firmado' }, { 'accept-language': 'es' })
    t.strictSame([response.statusCode, response.json()], [400, invalid({ estado: ['"enviado" no puede cambiar a "firmado". Puede cambiar a: autorizado, rechazado, borrador, cancelado.'] }, 'es')])
  })

  await t.test('reaches only one state with concurrent changes', async (t) => {
    for (let round = 0; round < 3; round++) {
      const { id } = await convenio(await contract(), {}, 'enviado')
      const answers = await Promise.all(['autorizado', 'cancelado', 'rechazado', 'cancelado'].map(async estado => ({ estado, response: await to(id, estado) })))
      const { estado: end } = await get(`convenios/${id}/`)
      for (const { estado, response } of answers) t.ok(response.statusCode === (estado === end ? 200 : 400) || end === 'cancelado', `${estado} while ${end}: ${response.body}`)
    }
  })
})

t.test('change orders of a cancelled contract can only be rejected or cancelled', async (t) => {
  const { director, contract, convenio, to } = await agreeing(t)
  const id = await contract()
  const made = await Promise.all(['borrador', 'enviado', 'enviado', 'autorizado', 'autorizado', 'rechazado'].map(async state => await convenio(id, {}, state)))
  t.equal((await director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' })).statusCode, 200)
  const cancelled = { estado: ['The contract is cancelled: its change orders can only be rejected or cancelled.'] }
  const [draft, sent, other, ordered, second, rejected] = made.map(({ id }) => id as number) as [number, number, number, number, number, number]
  for (const [one, estado] of [[draft, 'enviado'], [sent, 'autorizado'], [ordered, 'firmado'], [ordered, 'borrador'], [rejected, 'borrador']] as const) refuses(t, await to(one, estado), cancelled, estado)
  for (const [one, estado] of [[draft, 'cancelado'], [sent, 'rechazado'], [other, 'cancelado'], [second, 'cancelado']] as const) t.match((await to(one, estado)).json(), { estado })
  refuses(t, await director.post('convenios/', { contract: id }), { contract: ['This contract is cancelled and accepts no change orders.'] })
  const bulk = await director.post('convenios/bulk/', { items: [{ contract: id }, { contract: await contract() }] })
  t.strictSame(bulk.json().errors, { 'items.0.contract': ['This contract is cancelled and accepts no change orders.'] })
})
