import t from 'tap'
import { estimating, states } from '../../../../../support/estimating.ts'
import { refuses } from '../../../../../support/invalid.ts'

const cancelled = ['The contract is cancelled: its estimates can only be rejected or cancelled.']
const inUse = ['This field cannot be changed while the contract has estimates that are neither rejected nor cancelled.']

t.test('estimates of a closed contract', async (t) => {
  const { director, contract, estimate, send, change, read, psql } = await estimating(t)
  const close = async (id: number, estado: string) => t.equal((await director.send('PATCH', `contracts/${id}/`, { estado })).statusCode, 200)

  await t.test('can be sent, authorized and paid if it is terminado; new ones cannot be created', async (t) => {
    const id = await contract()
    const [draft, rejected] = [await estimate(id, { monto: '10' }), await estimate(id, { monto: '10' }, 'rechazada')]
    await close(id, 'terminado')
    for (const estado of ['enviada', 'autorizada', 'pagada']) t.match(await change(draft['id'], { estado }), { estado })
    t.match(await change(rejected['id'], { estado: 'borrador' }), { estado: 'borrador' })
    t.strictSame((await director.post('estimates/', { contract: id })).json().errors, { contract: ['This contract is closed. A "terminado" contract accepts only a finiquito.'] })
  })

  await t.test('can only be rejected or cancelled if it is cancelado', async (t) => {
    const id = await contract()
    const to: Record<string, string[]> = { borrador: ['enviada', 'cancelada'], enviada: ['autorizada', 'borrador', 'rechazada', 'cancelada'], rechazada: ['borrador'] }
    const made = await Promise.all(Object.entries(to).flatMap(([from, ways]) => ways.map(async estado => [await estimate(id, { monto: '1' }, from), estado] as const)))
    await close(id, 'cancelado')
    for (const [before, estado] of made) {
      const response = await send(before['id'], { estado, motivo_rechazo: 'No' })
      if (['rechazada', 'cancelada'].includes(estado)) {
        t.match([response.statusCode, response.json()], [200, { estado }])
        continue
      }
      refuses(t, response, { estado: cancelled }, `${before['estado']} to ${estado}`)
      t.match(await read(before['id']), { estado: before['estado'], version: before['version'] })
    }
    const [draft] = made[0]
    t.strictSame((await send(draft['id'], { estado: 'enviada' }, 'es')).json().errors, { estado: ['El contrato está cancelado: sus estimaciones solo pueden rechazarse o cancelarse.'] })
    const bulk = await director.post('estimates/bulk/', { items: [{ contract: id, external_id: 'n' }, { contract: id, external_id: 'm' }] })
    t.strictSame(Object.keys(bulk.json().errors), ['items.0.contract', 'items.1.contract'])
  })

  await t.test('can be edited if it is cancelado, and the last draft deleted', async (t) => {
    const id = await contract()
    const [sent, draft] = [await estimate(id, { monto: '10' }, 'enviada'), await estimate(id, { monto: '10' })]
    await close(id, 'cancelado')
    t.match(await change(sent['id'], { descripcion: 'Finiquito' }), { descripcion: 'Finiquito', estado: 'enviada' })
    t.match(await change(draft['id'], { monto: '5', estado: 'borrador' }), { monto: '5.00' })
    t.equal((await director.send('DELETE', `estimates/${draft['id']}/`)).statusCode, 204)
  })

  await t.test('keep it from being cancelled once one of them is authorized', async (t) => {
    const refusal = { estado: ['A contract with authorized estimates cannot be cancelled. Change it to "terminado", or undo the authorizations first.'] }
    for (const state of ['autorizada', 'pagada']) {
      for (const monto of ['10', '0']) {
        const id = await contract()
        await estimate(id, { monto }, state)
        for (const method of ['PATCH', 'PUT'] as const) refuses(t, await director.send(method, `contracts/${id}/`, { folio: `C-${id}`, estado: 'cancelado' }), refusal, `${state} ${monto}`)
        t.match((await director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' }, { 'accept-language': 'es' })).json().errors, { estado: [/^Un contrato con estimaciones autorizadas no puede cancelarse/] })
        t.match((await director.get(`contracts/${id}/`)).json(), { estado: 'vigente' })
      }
    }
    const id = await contract()
    const { id: undone } = await estimate(id, { monto: '10' }, 'autorizada')
    await change(undone, { estado: 'enviada' })
    await close(id, 'cancelado')
  })

  await t.test('are not authorized after a concurrent close, by the API or by psql', async (t) => {
    for (let round = 0; round < 6; round++) {
      const id = await contract()
      const { id: sent } = await estimate(id, { monto: '10' }, 'enviada')
      const end = round % 2 === 0
        ? director.send('PATCH', `contracts/${id}/`, { estado: 'cancelado' }).then(({ statusCode }) => statusCode)
        : psql("update contracts set estado = 'cancelado' where id = $1", [id]).then(() => 200, ({ code }) => code === '23514' ? 400 : code)
      const [authorization, ended] = await Promise.all([send(sent, { estado: 'autorizada' }), end])
      t.same([authorization.statusCode, ended].sort(), [200, 400])
      if (authorization.statusCode !== 200) t.strictSame(authorization.json().errors, { estado: cancelled })
    }
  })
})

t.test('the currency of a contract', async (t) => {
  const { director, contract, estimate, change, psql } = await estimating(t)
  const amend = async (id: number, moneda: string, language = 'en') => await director.send('PATCH', `contracts/${id}/`, { moneda }, { 'accept-language': language })

  await t.test('cannot change while it has estimates that are neither rejected nor cancelled', async (t) => {
    for (const estado of states) {
      const id = await contract()
      const { id: billed } = await estimate(id, { monto: '1' }, estado)
      const response = await amend(id, 'USD')
      if (['rechazada', 'cancelada'].includes(estado)) {
        t.match([response.statusCode, response.json()], [200, { moneda: 'USD' }], estado)
        continue
      }
      refuses(t, response, { moneda: inUse }, estado)
      t.match((await director.get(`contracts/${id}/`)).json(), { moneda: 'MXN' })
      t.strictSame((await amend(id, 'USD', 'es')).json().errors, { moneda: ['Este campo no puede cambiarse mientras el contrato tenga estimaciones que no estén rechazadas ni canceladas.'] })
      t.equal((await amend(id, 'MXN')).statusCode, 200, 'the same currency is no change')
      if (estado === 'borrador') {
        await change(billed, { estado: 'cancelada' })
        t.equal((await amend(id, 'EUR')).statusCode, 200, 'the currency can change again')
      }
    }
  })

  await t.test('changes only before the first estimate, if both are concurrent', async (t) => {
    for (let round = 0; round < 6; round++) {
      const id = await contract()
      const write = round % 2 === 0
        ? director.post('estimates/', { contract: id }).then(({ statusCode }) => statusCode)
        : psql('insert into estimates (company_id, contract_id) values (1, $1)', [id]).then(() => 201)
      const [amended, written] = await Promise.all([amend(id, 'USD'), write])
      t.equal(written, 201)
      if (amended.statusCode !== 200) t.strictSame(amended.json().errors, { moneda: inUse })
      const [order] = await psql(`
        select (select max(revision) from changes where resource = 'contracts' and record_id = $1)
          < (select max(revision) from changes c join estimates e on e.id = c.record_id where c.resource = 'estimates' and e.contract_id = $1) as first`, [id]) as [{ first: boolean }]
      t.equal(order.first, true, 'the currency has not changed after the first estimate')
    }
  })
})
