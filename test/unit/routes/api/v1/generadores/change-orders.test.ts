import t from 'tap'
import { buildSites } from '../../../../../support/site.ts'

const { server, newSite } = await buildSites(t)
const { psql } = server

t.test('a change order whose rows an authorized estimate has cannot become a draft again, or be cancelled', async (t) => {
  const site = await newSite([['A', '100', '10']])
  const { client, contract } = site
  const { id: convenio } = (await client.post('convenios/', { contract })).json()
  const { id: concepto } = (await client.post('conceptos/', { contract, convenio, clave: 'X', unidad: 'm3', cantidad: '10', precio_unitario: '1' })).json()
  const change = async (estado: string) => {
    const response = await client.send('PATCH', `convenios/${convenio}/`, { estado, fecha_autorizacion: '2026-03-01', fecha_firma: '2026-03-02' })
    return [response.statusCode, response.json().codes?.estado]
  }
  for (const estado of ['enviado', 'autorizado']) t.strictSame(await change(estado), [200, undefined])
  const estimate = await site.estimate()
  t.equal((await client.post('generadores/', { estimate, concepto, cantidad: '5' })).statusCode, 201)
  await site.authorize(estimate)
  for (const estado of ['borrador', 'cancelado']) {
    t.strictSame(await change(estado), [400, ['extra_in_use']], 'although the contract has room for its amount')
    await t.rejects(psql('update convenios set estado = $2 where id = $1', [convenio, estado]), { code: '23514', constraint: 'convenios_extra_in_use' })
  }
  await site.patch(estimate, { estado: 'enviada' })
  t.strictSame(await change('borrador'), [200, undefined], 'after the undo of the authorization')
  t.equal((await client.send('PATCH', `conceptos/${concepto}/`, { precio_unitario: '2' })).statusCode, 200)
  t.match(await site.read(estimate), { monto: '10.00' })
})
