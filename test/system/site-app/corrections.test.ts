import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { listen } from '../../unit/client/server.ts'
import { until } from '../../support/until.ts'
import { Phone } from './phone.ts'

const folio = 'ON-2026-001-A'

t.test('refused edits can be corrected or discarded, conflicts resolved in three ways', { skip: withoutBrowser }, async (t) => {
  const { origin, as } = await listen(t)
  const office = await as('corporativo@demo.example')
  const phone = await Phone.start(await openBrowser(t), origin, 'director@demo.example')
  const { page } = phone

  await phone.createContract({ folio, monto: '10.00' })
  await phone.addEstimate('1.00')
  await phone.status(/^Sincronizado · 2 por corregir/)
  const refusal = page.locator('.refusals form').first()
  t.match(await refusal.innerText(), /ON-2026-001-A: no se creó[^]*Folio: /)
  await phone.edit({ folio: 'CASETA-2' })
  await phone.status(/^Sincronizado · actualizado/)
  const { results: [created] } = (await office.get('contracts/?folio=CASETA-2')).json()
  t.equal((await office.get(`estimates/?contract=${created.id}`)).json().count, 1)

  await phone.edit({ monto: '-1' })
  await phone.status(/^Sincronizado · 1 por corregir/)
  await phone.fields.locator('[name=monto][aria-invalid]').waitFor()
  await refusal.getByRole('button', { name: 'Descartar' }).click()
  await phone.status(/^Sincronizado · actualizado/)
  await phone.shows({ monto: '10.00' })

  const conflict = page.locator('.conflicts form')
  for (const [index, [button, result]] of Object.entries({ 'Dejar el mío': '21.00', 'Dejar el suyo': '32.00', 'Usar otro': '5.00' }).entries()) {
    await phone.setOffline(true)
    await phone.edit({ monto: `${index + 2}1.00` })
    await office.send('PATCH', `contracts/${created.id}/`, { monto: `${index + 2}2.00` })
    await phone.setOffline(false)
    await phone.status(/^Sincronizado · 1 en conflicto/)
    await conflict.getByLabel('Otro').fill('5.00')
    await conflict.getByRole('button', { name: button }).click()
    await phone.status(/^Sincronizado · actualizado/)
    await phone.shows({ monto: result })
    t.equal((await office.get(`contracts/${created.id}/`)).json().monto, result, button)
  }

  await office.send('PATCH', `contracts/${created.id}/`, { estado: 'suspendido' })
  await phone.shows({ estado: 'suspendido' })
  await phone.edit({ descripcion: 'Zapatas' })
  const current = async () => (await office.get(`contracts/${created.id}/`)).json()
  await until(async () => (await current()).descripcion === 'Zapatas')
  t.equal((await current()).estado, 'suspendido', 'a field that was not edited stays')

  await phone.field('monto').fill('7.00')
  await office.send('PATCH', `contracts/${created.id}/`, { monto: '6.00', descripcion: 'Losa' })
  await phone.shows({ monto: '7.00', descripcion: 'Losa' })
  await phone.fields.getByRole('button', { name: 'Guardar' }).click()
  await phone.status(/^Sincronizado · 1 en conflicto/)
  t.match((await conflict.locator('dl').innerText()).replace(/\s+/g, ' '), 'Antes 5.00 Mío 7.00 Suyo 6.00')
  await conflict.getByRole('button', { name: 'Dejar el suyo' }).click()
  await phone.status(/^Sincronizado · actualizado/)

  const removal = page.locator('.rows').getByRole('button', { name: 'Eliminar' })
  t.equal(await phone.pressAndConfirm(removal, false), '¿Eliminar la estimación y sus mediciones?')
  t.ok(await page.getByText('Estimación 1', { exact: true }).isVisible(), 'it stays without a confirmation')
  await phone.pressAndConfirm(removal)
  await page.getByText('Estimación 1', { exact: true }).waitFor({ state: 'detached' })
  await phone.pressAndConfirm(phone.fields.getByRole('button', { name: 'Eliminar' }))
  await phone.status(/^Sincronizado · actualizado/)
  // The status can still be that of the removed estimate.
  await until(async () => (await phone.list()).length === 60)
  await until(async () => (await office.get('contracts/')).json().count === 60)
  t.strictSame(phone.faults, [])
})
