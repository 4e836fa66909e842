import t from 'tap'
import { estimating, states } from '../../../support/estimating.ts'
import { succeeded } from '../../../support/succeeded.ts'

t.test('only an estimate that is authorized or paid is owed, also in totals', async (t) => {
  const { director, contract, estimate, change } = await estimating(t)
  const of = await contract({ iva_porcentaje: '0' })
  const made = new Map<string, number>()
  for (const state of states) made.set(state, (await estimate(of, { monto: '100' }, state))['id'])
  succeeded(await director.post('pagos/', { estimate: made.get('autorizada'), importe: '30', fecha: '2026-04-15' }))

  const owed = async () => Object.fromEntries(await Promise.all([...made].map(async ([state, id]) => [state, (await director.get(`estimates/${id}/`)).json().por_pagar])))
  const expected = { borrador: '0.00', enviada: '0.00', autorizada: '70.00', pagada: '0.00', rechazada: '0.00', cancelada: '0.00' }
  t.same(await owed(), expected)
  const { results, totals } = (await director.get(`estimates/?contract=${of}&totals=true&ordering=id`)).json()
  t.same(results.map((one: Record<string, string>) => [one['estado'], one['por_pagar']]), Object.entries(expected).sort(([a], [b]) => (made.get(a) ?? 0) - (made.get(b) ?? 0)))
  t.match(totals.MXN, { neto: '600.00', pagado: '130.00', por_pagar: '70.00' })
  const csv = (await director.get(`estimates/?contract=${of}&ordering=id&format=csv&fields=por_pagar`)).body.trim().split('\r\n')
  t.same(csv.slice(1), Object.values(expected))
  t.equal((await director.get(`estimates/?contract=${of}&pendiente_pago=true`)).json().count, 1)
  t.equal((await director.get(`estimates/?contract=${of}&pendiente_pago=true&totals=true`)).json().totals.MXN.por_pagar, '70.00')

  const last = await estimate(of, { monto: '100' }, 'autorizada')
  t.equal(last['por_pagar'], '100.00')
  t.equal((await change(last['id'], { estado: 'enviada' }))['por_pagar'], '0.00', 'an undone authorization owes nothing')
})
