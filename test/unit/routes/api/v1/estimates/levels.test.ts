import t from 'tap'
import { estimating } from '../../../../../support/estimating.ts'

t.test('access to estimates by level', async (t) => {
  const { as, contract, estimate } = await estimating(t)
  const coordinador = await as('coordinador@demo.example')
  const id = await contract()
  const denied = { detail: 'You do not have permission to perform this action.', code: 'permission_denied' }

  await t.test('a Coordinador may create, edit, send, take back and cancel, but not authorize, reject or pay', async (t) => {
    const url = `estimates/${(await coordinador.post('estimates/', { contract: id, monto: '5' })).json().id}/`
    const patch = async (fields: object) => await coordinador.send('PATCH', url, fields)
    t.match((await patch({ monto: '6.00', descripcion: 'Editada' })).json(), { monto: '6.00' })
    for (const estado of ['enviada', 'borrador', 'enviada']) t.match((await patch({ estado })).json(), { estado })
    for (const estado of ['autorizada', 'rechazada', 'pagada']) {
      for (const method of ['PATCH', 'PUT'] as const) {
        const refused = await coordinador.send(method, url, { contract: id, estado, motivo_rechazo: 'x', monto: 'an invalid value that is not checked' })
        t.equal(refused.statusCode, 403, estado)
        t.strictSame(refused.json(), denied)
        const absent = await coordinador.send(method, 'estimates/999999/', { contract: id, estado })
        t.strictSame([absent.statusCode, absent.json()], [403, denied], 'also for an absent estimate')
      }
    }
    const stale = await coordinador.send('PATCH', url, { estado: 'autorizada' }, { 'if-match': '"1.1.x.y.99.z"' })
    t.equal(stale.statusCode, 403, 'before the version is checked')
    t.equal((await coordinador.send('PATCH', 'estimates/999999/', { estado: 'enviada' })).statusCode, 404)
    t.strictSame((await coordinador.send('DELETE', url)).json(), denied)
    t.match((await patch({ estado: 'cancelada' })).json(), { estado: 'cancelada' })
    t.strictSame((await coordinador.send('PATCH', url, { estado: 'pagada' }, { 'accept-language': 'es' })).json(), { detail: 'Usted no tiene permiso para realizar esta acción.', code: 'permission_denied' })
  })

  await t.test('a Coordinador may send back by PUT an estimate that a Director has authorized', async (t) => {
    for (const state of ['autorizada', 'rechazada', 'pagada']) {
      const decided = await estimate(id, { monto: '1' }, state)
      const got = (await coordinador.get(`estimates/${decided['id']}/`)).json<object>()
      const put = await coordinador.send('PUT', `estimates/${decided['id']}/`, { ...got, descripcion: 'Anotada' })
      t.equal(put.statusCode, 200, state)
      t.match(put.json(), { estado: state, descripcion: 'Anotada', neto: decided['neto'] })
    }
    const rejected = await estimate(id, {}, 'rechazada')
    t.equal((await coordinador.send('PATCH', `estimates/${rejected['id']}/`, { estado: 'borrador' })).statusCode, 200, 'a change from rejected to draft is editing')
  })
})
