import AxeBuilder from '@axe-core/playwright'
import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { listen } from '../../unit/client/server.ts'
import { until } from '../../support/until.ts'
import { Phone } from './phone.ts'

t.test('amounts with separators, problems beside their fields, and the other language', { skip: withoutBrowser }, async (t) => {
  const { origin, as } = await listen(t)
  const director = await as('director@demo.example')
  const phone = await Phone.start(await openBrowser(t), origin, 'director@demo.example')
  const { page } = phone
  const barriers = async () => {
    const { violations } = await new AxeBuilder({ page }).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }
  const described = async (name: string) => {
    const id = await phone.field(name).getAttribute('aria-describedby')
    return await page.locator(`[id="${id}"]`).innerText()
  }

  await phone.createContract({ folio: 'CASETA-1', monto: '3,950,000' })
  await phone.status(/^Sincronizado · actualizado/)
  await phone.shows({ monto: '3950000.00' })
  const saved = async () => (await director.get('contracts/?folio=CASETA-1')).json().results[0]
  t.match(await saved(), { monto: '3950000.00' })
  t.match((await phone.list()).find(([folio]) => folio === 'CASETA-1'), ['CASETA-1', '$3,950,000.00', ''])
  t.strictSame(await barriers(), [])

  await phone.openContract('CASETA-1')
  await phone.edit({ monto: 'tres millones', descripcion: 'Zapatas' })
  await page.getByText('Corrija los campos marcados. Los demás se guardaron.').waitFor()
  t.equal(await described('monto'), 'Escriba un importe, como 3,950,000.00.')
  t.equal(await page.evaluate('document.activeElement.name'), 'monto', 'the keyboard is at the problem')
  await phone.status(/^Sincronizado · actualizado/)
  const { id } = await saved()
  const current = async () => (await director.get(`contracts/${id}/`)).json()
  await until(async () => (await current()).descripcion === 'Zapatas')
  t.match(await current(), { monto: '3950000.00' })

  // The service refuses one of two fields.
  await phone.edit({ monto: '4,000,000.50', folio: 'ON-2026-001' })
  await phone.fields.locator('[name=folio][aria-invalid]').waitFor()
  await phone.status(/^Sincronizado · actualizado/)
  await phone.shows({ monto: '4000000.50', folio: 'ON-2026-001' })
  await until(async () => (await current()).monto === '4000000.50')
  t.match(await described('folio'), /\S/)
  t.strictSame(await barriers(), [])
  await page.getByRole('link', { name: 'Obra en sitio' }).click()
  await phone.openContract('CASETA-1')
  await phone.shows({ folio: 'ON-2026-001' })
  // The value is sent again with another field, and refused again.
  await phone.edit({ descripcion: 'Columnas' })
  await until(async () => (await current()).descripcion === 'Columnas')
  await phone.fields.locator('[name=folio][aria-invalid]').waitFor()
  await phone.status(/^Sincronizado · actualizado/)
  await phone.shows({ folio: 'ON-2026-001', descripcion: 'Columnas' })
  t.match(await described('folio'), /\S/)
  await phone.edit({ folio: 'CASETA-2' })
  await until(async () => (await director.get('contracts/?folio=CASETA-2')).json().count === 1)
  t.equal(await phone.field('folio').getAttribute('aria-invalid'), null)

  await page.getByRole('button', { name: 'English' }).press('Enter')
  await page.getByRole('button', { name: 'Log out' }).waitFor()
  t.equal(await page.locator('html').getAttribute('lang'), 'en')
  await page.getByLabel('Amount').first().waitFor()
  t.notMatch(await page.locator('body').innerText(), /Guardar|Estimaciones|Eliminar|vigente/)
  t.strictSame(await barriers(), [])
  t.strictSame(phone.faults, [])
})
