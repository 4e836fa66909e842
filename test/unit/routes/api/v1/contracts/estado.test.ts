import t from 'tap'
import { build } from '../../../../../support/helper.ts'
import { refuses } from '../../../../../support/invalid.ts'

const states = ['vigente', 'suspendido', 'terminado', 'cancelado']
const allowed = new Set(['vigente suspendido', 'vigente terminado', 'vigente cancelado', 'suspendido vigente', 'suspendido terminado', 'suspendido cancelado', 'terminado vigente'])

/** The message of a change that is not allowed. It names the allowed ones. */
function refusal (from: string, to: string): string {
  const next = [...allowed].filter(pair => pair.startsWith(`${from} `)).map(pair => pair.split(' ')[1])
  return `"${from}" cannot change to "${to}". ${next.length === 0 ? 'It is final.' : `It can change to: ${next.join(', ')}.`}`
}

t.test('the estado of a contract', async (t) => {
  const { as } = await build(t)
  const director = await as('director@demo.example')
  const make = async (estado: string, name: string) => (await director.post('contracts/', { folio: `${estado} ${name}`, estado })).json()

  t.test('changes only as in the table of transitions, by PATCH and by PUT', async (t) => {
    for (const from of states) {
      for (const to of states) {
        for (const method of ['PATCH', 'PUT'] as const) {
          const { id, folio } = await make(from, `${method} ${to}`)
          const response = await director.send(method, `contracts/${id}/`, { folio, estado: to })
          if (from === to || allowed.has(`${from} ${to}`)) {
            t.equal(response.statusCode, 200, `${from} to ${to}`)
            t.equal(response.json().estado, to)
          } else {
            refuses(t, response, { estado: [refusal(from, to)] }, `${from} to ${to}`)
            t.match((await director.get(`contracts/${id}/`)).json(), { estado: from, version: 1 })
          }
        }
      }
    }
  })

  t.test('does not prevent changes of other fields when it is final', async (t) => {
    const { id } = await make('terminado', 'libre')
    t.match((await director.send('PATCH', `contracts/${id}/`, { monto: '5.00', descripcion: 'acta de entrega' })).json(), { estado: 'terminado', monto: '5.00' })
  })

  t.test('needs a Director to undo a closing', async (t) => {
    const coordinador = await as('coordinador@demo.example')
    const { id, folio } = await make('terminado', 'cierre')
    for (const method of ['PATCH', 'PUT'] as const) t.equal((await coordinador.send(method, `contracts/${id}/`, { folio, estado: 'vigente' })).statusCode, 403)
    t.match((await coordinador.send('PATCH', `contracts/${id}/`, { estado: 'terminado', descripcion: 'acta' })).json(), { estado: 'terminado', descripcion: 'acta' })
    t.equal((await coordinador.send('PATCH', 'contracts/999999/', { estado: 'vigente' })).statusCode, 404)
    t.match((await director.send('PATCH', `contracts/${id}/`, { estado: 'vigente' })).json(), { estado: 'vigente' })
    t.equal((await director.post('estimates/', { contract: id })).statusCode, 201, 'it accepts estimates again')
  })

  t.test('reaches only one final state with concurrent changes', async (t) => {
    const { id } = await make('vigente', 'carrera')
    const answers = await Promise.all(['terminado', 'cancelado', 'terminado', 'cancelado'].map(async estado =>
      ({ estado, response: await director.send('PATCH', `contracts/${id}/`, { estado }) })))
    const { estado: end } = (await director.get(`contracts/${id}/`)).json()
    for (const { estado, response } of answers) t.equal(response.statusCode, estado === end ? 200 : 400, estado)
  })
})
