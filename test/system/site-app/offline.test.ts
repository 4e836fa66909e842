import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { freePort } from '../../support/trial/server.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { demoPlace, startServer } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { Phone } from './phone.ts'

const folio = 'ON-2026-001-A'
const money = new Intl.NumberFormat('es-MX', { style: 'currency', currency: 'MXN' })

t.test('two devices edit offline, the server is killed while one syncs, and both have the same records afterwards', { skip: withoutBrowser }, async (t) => {
  const place = await demoPlace(t)
  const env = { PORT: String(await freePort()), LOG_LEVEL: 'silent' }
  const server = await startServer(t, place, env)
  const { origin } = server
  const browser = await openBrowser(t)
  const [site, office] = await Promise.all(['coordinador@demo.example', 'director@demo.example'].map(async email => await Phone.start(browser, origin, email))) as [Phone, Phone]

  for (const phone of [site, office]) {
    await phone.setOffline(true)
    await phone.openContract(folio)
  }
  await office.edit({ monto: '3900000.00', descripcion: 'Pilas y losa' })
  await office.status(/^Sin conexión · 1 por enviar/)
  await site.edit({ monto: '3800000.00' })
  const { page } = site
  await site.createContract({ folio: 'CASETA-1', monto: '250000.00' }, 'Aceros y Estructuras Lumen, S.A. de C.V.')
  await site.addEstimate('1000.00')
  await site.status(/^Sin conexión · 3 por enviar/)

  t.ok(await site.reload(), 'the app opens offline')
  await site.status(/^Sin conexión · 3 por enviar/)
  t.strictSame((await site.list()).filter(([,, mark]) => mark !== ''), [['CASETA-1', '$250,000.00', 'pendiente'], [folio, '$3,800,000.00', 'pendiente']])
  await site.screenshot('site-app-offline.png')

  await office.setOffline(false)
  await office.status(/^Sincronizado · actualizado/)
  const sent = page.waitForRequest(/\/mutations\/$/)
  await site.setOffline(false)
  await sent
  server.signal('SIGKILL')
  await server.ended
  await office.edit({ fecha_fin: '2027-01-31' })
  await office.status(/ · 1 por enviar/)
  await startServer(t, place, env)

  await office.status(/^Sincronizado · actualizado/)
  await site.status(/^Sincronizado · 1 en conflicto/)
  const conflict = page.locator('form', { hasText: 'cambió aquí y en otro lugar' })
  t.match((await conflict.locator('dl').innerText()).replace(/\s+/g, ' '), 'Antes 3,750,000.00 Mío 3,800,000.00 Suyo 3,900,000.00')
  await site.screenshot('site-app-conflict.png')
  await conflict.getByRole('button', { name: 'Dejar el mío' }).click()
  await site.status(/^Sincronizado · actualizado/)

  const expected = { monto: '3800000.00', descripcion: 'Pilas y losa', fecha_fin: '2027-01-31' }
  const { access: token } = await tokensOf(origin, 'director@demo.example', demoPassword)
  const { body: { results } } = await call(origin, 'GET', 'contracts/?page_size=100&ordering=folio', { token })
  const stored = (results as Array<{ id: number, folio: string, monto: string }>).map(({ folio, monto }) => [folio, money.format(monto as Intl.StringNumericLiteral), ''])
  t.equal(stored.length, 61)
  for (const phone of [site, office]) {
    await phone.openContract(folio)
    await phone.shows(expected)
    await until(async () => isDeepStrictEqual(await phone.list(), stored))
    await phone.openContract('CASETA-1')
    await phone.page.getByText('Estimación 1', { exact: true }).waitFor()
    t.equal(await phone.page.locator('.rows').getByLabel('monto').inputValue(), '1000.00')
  }
  await site.openContract(folio)
  await site.screenshot('site-app-resolved.png')
  const idOf = (wanted: string) => results.find(({ folio }: { folio: string }) => folio === wanted).id
  t.match((await call(origin, 'GET', `contracts/${idOf(folio)}/`, { token })).body, expected)
  t.match((await call(origin, 'GET', `estimates/?contract=${idOf('CASETA-1')}`, { token })).body, { count: 1, results: [{ numero: 1, monto: '1000.00' }] })
  t.strictSame([...site.faults, ...office.faults], [])
})
