import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { listen } from '../../unit/client/server.ts'
import { Phone } from './phone.ts'

t.test('measurements on site: a concept of the catalogue, dimensions, earlier and accumulated quantities, with and without a connection', { skip: withoutBrowser }, async (t) => {
  const { origin, as } = await listen(t)
  const office = await as('director@demo.example')
  const created = async (path: string, body: object) => (await office.post(`${path}/`, body)).json().id as number
  const contract = await created('contracts', { folio: 'MED-1', descripcion: 'Caseta de vigilancia' })
  const [wall] = [
    await created('conceptos', { contract, clave: 'ALB-01', unidad: 'm2', cantidad: '120', precio_unitario: '412.35', descripcion: 'Muro de tabique rojo recocido de 14 cm' }),
    await created('conceptos', { contract, clave: 'CIM-01', unidad: 'm3', cantidad: '18.5', precio_unitario: '2890.5', descripcion: "Concreto f'c = 250 kg/cm² en zapatas" })]
  const first = await created('estimates', { contract })
  await created('generadores', { estimate: first, concepto: wall, cantidad: '40' })
  for (const estado of ['enviada', 'autorizada']) t.equal((await office.send('PATCH', `estimates/${first}/`, { estado })).statusCode, 200)

  const phone = await Phone.start(await openBrowser(t), origin, 'coordinador@demo.example')
  const { page } = phone
  await phone.openContract('MED-1')
  await phone.setOffline(true)
  await phone.addEstimate('')
  await page.locator('.rows li', { hasText: 'Estimación nueva' }).getByRole('link', { name: 'Mediciones' }).click()
  await page.getByRole('heading', { name: 'Estimación nueva' }).waitFor()
  const search = page.getByLabel('Concepto', { exact: true })
  await search.fill('concreto ZAPATAS')
  t.strictSame(await page.locator('.choices strong').allTextContents(), ['CIM-01'])
  await search.fill('alb')
  await phone.screenshot('site-app-concept.png')
  await page.getByRole('button', { name: /^ALB-01/ }).click()
  const shown = async () => (await page.locator('.totals').innerText()).replace(/\s+/g, ' ')
  t.equal(await shown(), 'Contratada 120 Anterior 40 Este periodo 0')
  await page.getByLabel('Ubicación').fill('Eje A, tramo 1-4')
  for (const [name, value] of [['Piezas', '2'], ['Largo', '12.5'], ['Alto', '2,4']] as const) await page.getByLabel(name).fill(value)
  t.equal(await page.getByLabel('Cantidad').inputValue(), '60.0000')
  t.match(await page.locator('output').innerText(), /100 m2/)
  await phone.screenshot('site-app-measure.png')
  await page.getByRole('button', { name: 'Agregar medición' }).click()
  await page.getByText('Una medición.').waitFor()
  t.equal(await shown(), 'Contratada 120 Anterior 40 Este periodo 60')
  await page.getByLabel('Cantidad').fill('30')
  t.equal(await page.locator('.warning').innerText(), 'Pasa de lo contratado por 10 m2.')
  await page.getByLabel('Cantidad').fill('mucho')
  await page.getByRole('button', { name: 'Agregar medición' }).click()
  await page.getByText('Escriba la cantidad, o al menos una dimensión, con números.').waitFor()
  await page.getByLabel('Cantidad').fill('-1.5')
  await page.getByRole('button', { name: 'Agregar medición' }).click()
  await page.getByText('2 mediciones.').waitFor()
  t.strictSame(await page.locator('.rows .mark').allTextContents(), ['pendiente', 'pendiente'])
  await phone.status(/^Sin conexión · 3 por enviar/)
  await page.locator('.rows').scrollIntoViewIfNeeded()
  await phone.screenshot('site-app-lines.png')

  await phone.setOffline(false)
  await phone.status(/^Sincronizado · actualizado/)
  await page.getByRole('heading', { name: 'Estimación 2' }).waitFor()
  const { results: [second] } = (await office.get(`estimates/?contract=${contract}&estado=borrador`)).json()
  const lines = async () => (await office.get(`generadores/?estimate=${second.id}&ordering=cantidad`)).json().results
  t.match(await lines(), [{ cantidad: '-1.5000', piezas: null }, { cantidad: '60.0000', piezas: '2.0000', largo: '12.5000', alto: '2.4000', ubicacion: 'Eje A, tramo 1-4' }])
  t.equal(second.monto, '24122.48')
  await phone.pressAndConfirm(page.getByRole('button', { name: 'Quitar ALB-01 Eje A, tramo 1-4' }).first())
  await page.getByText('Una medición.').waitFor()
  await phone.status(/^Sincronizado · actualizado/)

  await phone.setOffline(true)
  await page.getByLabel('Cantidad').fill('3')
  await page.getByRole('button', { name: 'Agregar medición' }).click()
  await page.getByText('2 mediciones.').waitFor()
  await office.send('PATCH', `estimates/${second.id}/`, { estado: 'enviada' })
  await phone.setOffline(false)
  await phone.status(/^Sincronizado · 1 por corregir/)
  await page.getByText('La estimación está enviada: sus mediciones ya no cambian.').waitFor()
  t.match(await page.locator('.refusals').innerText(), /Una medición de MED-1, estimación 2: no se creó/)
  await page.getByRole('button', { name: 'Descartar' }).click()
  await page.getByText('Una medición.').waitFor()
  t.strictSame(phone.faults, [])
})
