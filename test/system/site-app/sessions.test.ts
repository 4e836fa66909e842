import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { listen } from '../../unit/client/server.ts'
import { Phone } from './phone.ts'

const folio = 'ON-2026-001-A'

t.test('a session that has ended keeps the edits, a log-out deletes the records', { skip: withoutBrowser }, async (t) => {
  const { origin, app, as } = await listen(t)
  const phone = await Phone.start(await openBrowser(t), origin, 'coordinador@demo.example')
  const { page } = phone
  await phone.openContract(folio)
  await phone.setOffline(true)
  await phone.edit({ monto: '7.00' })
  await phone.status(/1 por enviar/)
  await phone.reload() // the page now has tokens, but no password
  await phone.openContract(folio)
  await phone.field('descripcion').fill('Zapatas')
  const { access, refresh } = JSON.parse(await page.evaluate("localStorage.getItem('tokens')"))
  const revoked = await app.inject({ method: 'POST', url: '/api/v1/api-token-revoke/', headers: { authorization: `Bearer ${access}` }, payload: { refresh } })
  t.equal(revoked.statusCode, 204)
  await phone.setOffline(false)
  await page.getByText('Inicie sesión otra vez. Sus cambios siguen en este teléfono.').waitFor()
  phone.faults.length = 0
  await phone.logIn('coordinador@demo.example', 'wrong')
  await page.getByText(/No se encontró|No hay|credenciales|cuenta/).waitFor()
  phone.faults.length = 0
  await phone.logIn('coordinador@demo.example')
  await phone.status(/^Sincronizado · actualizado/)
  await phone.shows({ descripcion: 'Zapatas', monto: '7.00' })
  t.match((await (await as('director@demo.example')).get(`contracts/?folio=${folio}`)).json().results, [{ monto: '7.00' }])

  await phone.openContract(folio)
  await phone.setOffline(true)
  await phone.edit({ monto: '8.00' })
  await phone.status(/1 por enviar/)
  const logOut = async (isSure: boolean) => {
    // The click ends only after the dialog.
    const question = page.waitForEvent('dialog').then(async (dialog) => {
      await (isSure ? dialog.accept() : dialog.dismiss())
      return dialog.message()
    })
    await page.getByRole('button', { name: 'Salir' }).click()
    return await question
  }
  t.equal(await logOut(false), 'Un cambio no ha llegado al servidor. ¿Salir y perder los cambios?')
  await phone.reload()
  await phone.status(/1 por enviar/)
  await logOut(true)
  await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor()
  t.equal(await page.evaluate("localStorage.getItem('tokens')"), null)
  t.ok(await phone.reload('Iniciar sesión'))
  // Only the id of the device stays.
  t.equal(await page.evaluate(`new Promise((resolve, reject) => {
    const opened = indexedDB.open('obra-site-app')
    opened.onerror = reject
    opened.onsuccess = () => {
      const found = opened.result.transaction('entries').objectStore('entries').getAllKeys()
      found.onsuccess = () => resolve(found.result.filter(key => !key.startsWith('company/') && !key.endsWith('/state')).length)
    }
  })`), 0)
  t.strictSame(phone.faults, [])
})
