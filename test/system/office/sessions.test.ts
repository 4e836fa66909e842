import t from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { until } from '../../support/until.ts'
import { listen } from '../../unit/client/server.ts'
import { Office } from './office.ts'

const list = 'Contratos de la empresa'

t.test('the office page says what a user cannot see, and why', { skip: withoutBrowser }, async (t) => {
  const { origin } = await listen(t)
  const browser = await openBrowser(t)
  const start = async (email: string) => {
    const office = await Office.start(browser, origin, { language: 'es', width: 1280 })
    await office.logIn(email)
    return office
  }

  const auxiliar = await start('auxiliar@demo.example')
  await auxiliar.heading('Contratos')
  t.equal(await auxiliar.page.locator('#user').innerText(), 'Ana Auxiliar, nivel 1')
  t.equal((await auxiliar.cells(list)).length, 20)

  const noCompany = 'Usted no tiene una empresa activa. Elija una empresa arriba. Si no hay ninguna, pida acceso a quien administra las cuentas.'
  const support = await start('soporte@demo.example')
  await support.heading('No se puede mostrar')
  t.equal(await support.alert(), noCompany)
  await support.page.getByLabel('Empresa').selectOption('Otra Uno')
  await support.heading('Contratos')
  t.match((await support.cells(list))[0], ['OU-0001'])
  await support.page.getByLabel('Empresa').selectOption('Obra Norte')
  await support.page.getByRole('link', { name: 'ON-2026-001', exact: true }).waitFor()

  const nobody = await start('sincompania@demo.example')
  await nobody.heading('No se puede mostrar')
  t.equal(await nobody.alert(), noCompany)
  t.equal(await nobody.page.getByLabel('Empresa').isVisible(), false)
  t.strictSame([auxiliar, support, nobody].flatMap(({ faults }) => faults), [])
})

t.test('if another user logs in in another tab, the office page shows what that user sees, and nothing of the first one', { skip: withoutBrowser }, async (t) => {
  const { origin, client } = await listen(t)
  const office = await Office.start(await openBrowser(t), origin, { language: 'es', width: 1280 })
  const { page, context } = office
  await office.logIn('director@demo.example')
  await office.heading('Contratos')
  await office.goTo('?search=arroyo')
  await page.getByText('Página 1 de 1', { exact: true }).waitFor()
  const shown = async () => `${page.url()} ${await page.locator('body').innerText()} ${await page.getByRole('searchbox').inputValue()} ${await page.title()}`
  t.match(await shown(), /arroyo/)

  const tab = await context.newPage()
  await tab.goto(page.url())
  const store = async (email: string) => {
    const { promise, resolve } = Promise.withResolvers<object>()
    await client({ onTokens: resolve }).obra.logIn({ email, password: demoPassword })
    await tab.evaluate(`localStorage.setItem('office-tokens', ${JSON.stringify(JSON.stringify(await promise))})`)
  }
  await page.evaluate("addEventListener('storage', () => { window.stored = true })")
  await store('director@demo.example')
  await until(async () => await page.evaluate('window.stored') === true)
  t.match(await shown(), /arroyo/, 'the next tokens of the same user change nothing')

  const name = await page.locator('#user').innerText()
  await store('director@otra.example')
  await page.getByRole('link', { name: 'OU-0001', exact: true }).waitFor()
  t.not(await page.locator('#user').innerText(), name)
  t.notMatch(await shown(), /arroyo|ON-2026/)
  t.equal(await page.evaluate('window.stored'), undefined, 'the page was loaded again')

  await tab.evaluate('localStorage.clear()')
  await office.heading('Iniciar sesión')
  t.notMatch(`${await page.locator('body').innerText()} ${await page.title()}`, /OU-0001|Otra Uno/)
  t.strictSame(office.faults, [])
})

t.test('the office page says that there is no connection, or no session any more, and goes on afterwards', { skip: withoutBrowser }, async (t) => {
  const { origin, app } = await listen(t)
  const office = await Office.start(await openBrowser(t), origin, { language: 'es', width: 1280 })
  await office.logIn('director@demo.example')
  await office.heading('Contratos')
  await office.context.setOffline(true)
  await office.press('Descargar CSV: Contratos')
  t.equal(await office.alert(), 'No hay conexión con el servicio. Revise la red.')
  await office.page.getByRole('link', { name: 'ON-2026-001', exact: true }).click()
  await office.heading('No se puede mostrar')
  t.equal(await office.alert(), 'No hay conexión con el servicio. Revise la red.')
  await office.context.setOffline(false)
  await office.press('Intentar de nuevo')
  await office.heading('ON-2026-001')

  const { access, refresh } = JSON.parse(await office.page.evaluate("localStorage.getItem('office-tokens')"))
  const revoked = await app.inject({ method: 'POST', url: '/api/v1/api-token-revoke/', headers: { authorization: `Bearer ${access}` }, payload: { refresh } })
  t.equal(revoked.statusCode, 204)
  await office.page.reload()
  await office.heading('Iniciar sesión')
  t.match(await office.alert(), /Inicie sesión otra vez para continuar\.$/)
  await office.logIn('director@demo.example')
  await office.heading('ON-2026-001')
  t.equal(await office.page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
  await office.press('Salir')
  await office.heading('Iniciar sesión')
  t.equal(await office.page.evaluate("localStorage.getItem('office-tokens')"), null)
  t.strictSame(office.faults, [])
})
