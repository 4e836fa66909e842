import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { freePort } from '../../../src/trial/server.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { demoPlace, startServer } from '../../support/process.ts'
import { listen } from '../../unit/client/server.ts'
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
  await office.status(/^Offline · 1 pending/)
  await site.edit({ monto: '3800000.00' })
  const { page } = site
  await site.createContract({ folio: 'CASETA-1', monto: '250000.00' }, 'Aceros y Estructuras Lumen, S.A. de C.V.')
  await site.addEstimate('1000.00')
  await site.status(/^Offline · 3 pending/)

  t.ok(await site.reload(), 'the app opens offline')
  await site.status(/^Offline · 3 pending/)
  t.strictSame((await site.list()).filter(([,, mark]) => mark !== 'synced'), [['CASETA-1', '$250,000.00', 'pending'], [folio, '$3,800,000.00', 'pending']])
  await site.screenshot('site-app-offline.png')

  await office.setOffline(false)
  await office.status(/^Synced · last sync/)
  const sent = page.waitForRequest(/\/mutations\/$/)
  await site.setOffline(false)
  await sent
  server.signal('SIGKILL')
  await server.ended
  await office.edit({ fecha_fin: '2027-01-31' })
  await office.status(/ · 1 pending/)
  await startServer(t, place, env)

  await office.status(/^Synced · last sync/)
  await site.status(/^Synced · 1 in conflict/)
  const conflict = page.locator('form', { hasText: 'was edited here and elsewhere' })
  t.match((await conflict.locator('dl').innerText()).replace(/\s+/g, ' '), 'Before 3750000.00 Mine 3800000.00 Theirs 3900000.00')
  await site.screenshot('site-app-conflict.png')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await site.status(/^Synced · last sync/)

  const expected = { monto: '3800000.00', descripcion: 'Pilas y losa', fecha_fin: '2027-01-31' }
  const { access: token } = await tokensOf(origin, 'director@demo.example', demoPassword)
  const { body: { results } } = await call(origin, 'GET', 'contracts/?page_size=100&ordering=folio', { token })
  const stored = (results as Array<{ id: number, folio: string, monto: string }>).map(({ folio, monto }) => [folio, money.format(monto as Intl.StringNumericLiteral), 'synced'])
  t.equal(stored.length, 61)
  for (const phone of [site, office]) {
    await phone.openContract(folio)
    await phone.shows(expected)
    await until(async () => isDeepStrictEqual(await phone.list(), stored))
    await phone.openContract('CASETA-1')
    await phone.page.getByText('Estimate 1', { exact: true }).waitFor()
    t.equal(await phone.page.locator('.rows').getByLabel('monto').inputValue(), '1000.00')
  }
  await site.openContract(folio)
  await site.screenshot('site-app-resolved.png')
  const idOf = (wanted: string) => results.find(({ folio }: { folio: string }) => folio === wanted).id
  t.match((await call(origin, 'GET', `contracts/${idOf(folio)}/`, { token })).body, expected)
  t.match((await call(origin, 'GET', `estimates/?contract=${idOf('CASETA-1')}`, { token })).body, { count: 1, results: [{ numero: 1, monto: '1000.00' }] })
  t.strictSame([...site.faults, ...office.faults], [])
})

t.test('refused edits can be corrected or discarded, conflicts resolved in three ways', { skip: withoutBrowser }, async (t) => {
  const { origin, as } = await listen(t)
  const office = await as('corporativo@demo.example')
  const phone = await Phone.start(await openBrowser(t), origin, 'director@demo.example')
  const { page } = phone

  await phone.createContract({ folio, monto: '10.00' })
  await phone.addEstimate('1.00')
  await phone.status(/^Synced · 2 refused/)
  const refusal = page.locator('.refusals form').first()
  t.match(await refusal.innerText(), /ON-2026-001-A was not created[^]*folio: This field must be unique/)
  await phone.edit({ folio: 'CASETA-2' })
  await phone.status(/^Synced · last sync/)
  const { results: [created] } = (await office.get('contracts/?folio=CASETA-2')).json()
  t.equal((await office.get(`estimates/?contract=${created.id}`)).json().count, 1)

  await phone.edit({ monto: '-1' })
  await phone.status(/^Synced · 1 refused/)
  await refusal.getByRole('button', { name: 'Discard' }).click()
  await phone.status(/^Synced · last sync/)
  await phone.shows({ monto: '10.00' })

  const conflict = page.locator('.conflicts form')
  for (const [index, [button, result]] of Object.entries({ 'Keep mine': '21.00', 'Keep theirs': '32.00', 'Use other': '5.00' }).entries()) {
    await phone.setOffline(true)
    await phone.edit({ monto: `${index + 2}1.00` })
    await office.send('PATCH', `contracts/${created.id}/`, { monto: `${index + 2}2.00` })
    await phone.setOffline(false)
    await phone.status(/^Synced · 1 in conflict/)
    await conflict.getByLabel('Other').fill('5.00')
    await conflict.getByRole('button', { name: button }).click()
    await phone.status(/^Synced · last sync/)
    await phone.shows({ monto: result })
    t.equal((await office.get(`contracts/${created.id}/`)).json().monto, result, button)
  }

  await office.send('PATCH', `contracts/${created.id}/`, { estado: 'suspendido' })
  await phone.shows({ estado: 'suspendido' })
  await phone.edit({ descripcion: 'Zapatas' })
  const current = async () => (await office.get(`contracts/${created.id}/`)).json()
  await until(async () => (await current()).descripcion === 'Zapatas')
  t.equal((await current()).estado, 'suspendido', 'a field that was not edited stays')

  await phone.fields.getByLabel('monto').fill('7.00')
  await office.send('PATCH', `contracts/${created.id}/`, { monto: '6.00', descripcion: 'Losa' })
  await phone.shows({ monto: '7.00', descripcion: 'Losa' })
  await phone.fields.getByRole('button', { name: 'Save' }).click()
  await phone.status(/^Synced · 1 in conflict/)
  t.match((await conflict.locator('dl').innerText()).replace(/\s+/g, ' '), 'Before 5.00 Mine 7.00 Theirs 6.00')
  await conflict.getByRole('button', { name: 'Keep theirs' }).click()
  await phone.status(/^Synced · last sync/)

  await page.locator('.rows').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Estimate 1', { exact: true }).waitFor({ state: 'detached' })
  await phone.fields.getByRole('button', { name: 'Remove' }).click()
  await phone.status(/^Synced · last sync/)
  // The status can still be that of the removed estimate.
  await until(async () => (await phone.list()).length === 60)
  await until(async () => (await office.get('contracts/')).json().count === 60)
  t.strictSame(phone.faults, [])
})

t.test('a session that has ended keeps the edits, a log-out deletes the records', { skip: withoutBrowser }, async (t) => {
  const { origin, app, as } = await listen(t)
  const phone = await Phone.start(await openBrowser(t), origin, 'coordinador@demo.example')
  const { page } = phone
  await phone.openContract(folio)
  await phone.setOffline(true)
  await phone.edit({ monto: '7.00' })
  await phone.status(/1 pending/)
  await phone.reload() // the page now has tokens, but no password
  await phone.openContract(folio)
  await phone.fields.getByLabel('descripcion').fill('Zapatas')
  const { access, refresh } = JSON.parse(await page.evaluate("localStorage.getItem('tokens')"))
  const revoked = await app.inject({ method: 'POST', url: '/api/v1/api-token-revoke/', headers: { authorization: `Bearer ${access}` }, payload: { refresh } })
  t.equal(revoked.statusCode, 204)
  await phone.setOffline(false)
  await page.getByText('Log in again. Your edits are still on this device.').waitFor()
  phone.faults.length = 0
  await phone.logIn('coordinador@demo.example', 'wrong')
  await page.getByText('No active account found').waitFor()
  phone.faults.length = 0
  await phone.logIn('coordinador@demo.example')
  await phone.status(/^Synced · last sync/)
  await phone.shows({ descripcion: 'Zapatas', monto: '7.00' })
  t.match((await (await as('director@demo.example')).get(`contracts/?folio=${folio}`)).json().results, [{ monto: '7.00' }])

  await phone.openContract(folio)
  await phone.setOffline(true)
  await phone.edit({ monto: '8.00' })
  await phone.status(/1 pending/)
  const logOut = async (isSure: boolean) => {
    // The click ends only after the dialog.
    const question = page.waitForEvent('dialog').then(async (dialog) => {
      await (isSure ? dialog.accept() : dialog.dismiss())
      return dialog.message()
    })
    await page.getByRole('button', { name: 'Log out' }).click()
    return await question
  }
  t.equal(await logOut(false), '1 edit has not reached the server. Log out and lose the edits?')
  await phone.reload()
  await phone.status(/1 pending/)
  await logOut(true)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  t.equal(await page.evaluate("localStorage.getItem('tokens')"), null)
  t.ok(await phone.reload('Log in'))
  // Only the id of the device stays.
  t.equal(await page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('obra-site-app')
    opened.onerror = reject
    opened.onsuccess = () => {
      const found = opened.result.transaction('entries').objectStore('entries').getAllKeys()
      found.onsuccess = () => resolve(found.result.filter(key => key.startsWith('store/') && !key.endsWith('/state')).length)
    }
  })`), 0)
  t.strictSame(phone.faults, [])
})
