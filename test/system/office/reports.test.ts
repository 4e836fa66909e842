import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { succeeded } from '../../support/succeeded.ts'
import { listen } from '../../unit/client/server.ts'
import { Office } from './office.ts'
import { texts } from './texts.ts'

/** The contract of the demo data with a catalogue, a programme, estimates and a payment. */
const folio = 'ON-2026-003-A'

/** An amount as people read it. */
const grouped = (amount: string | null) => amount?.replace(/\B(?=(\d{3})+\.)/g, ',') ?? ''

const money = (amount: string) => `MXN\u00A0${grouped(amount)}`

for (const [language, width] of [['es', 360], ['en', 1280]] as const) {
  t.test(`the office page shows and downloads what the API answers: ${language}, ${width} px`, { skip: withoutBrowser }, async (t) => {
    const { origin, as } = await listen(t)
    const api = await as('director@demo.example')
    const json = async (path: string) => (await api.get(path)).json()
    const texted = texts[language]
    const { day } = texted
    const { results: [{ id }] } = await json(`contracts/?folio=${folio}`)
    const { id: last } = succeeded(await api.post('estimates/', { contract: id, monto: '100000.00', periodo_inicio: '2026-07-01', periodo_fin: '2026-07-15' }))
    succeeded(await api.post('movimientos/', { estimate: last, tipo: 'pena', motivo: 'Atraso', antes_iva: false, importe: '1250.00' }))
    for (const estado of ['enviada', 'autorizada']) succeeded(await api.send('PATCH', `estimates/${last}/`, { estado }))
    const office = await Office.start(await openBrowser(t), origin, { language, width })
    const { page } = office
    const shows = async (name: string) => {
      t.strictSame(await office.barriers(), [], name)
      t.ok(await office.fits(), name)
      await office.screenshot(`${name}-${width}-${language}`)
    }

    await office.heading(texted.logIn)
    await shows('log-in')
    await office.logIn('director@demo.example', 'wrong')
    t.equal(await office.alert(), texted.noAccount)
    await office.logIn('director@demo.example')

    const [heading, caption, total] = texted.contracts as [string, string, string]
    await office.heading(heading)
    const contracts = await json('contracts/?totals=true')
    t.strictSame(await office.facts('.facts'), { [heading]: '60', [total]: grouped(contracts.totals.MXN.monto) })
    const row = (contract: Record<string, string>) => [contract['folio'], contract['contraparte'], texted.vigente, day(contract['fecha_fin'] as string), money(contract['monto'] as string)]
    t.strictSame(await office.cells(caption), contracts.results.map(row))
    await shows('contracts')
    await page.getByRole('link', { name: texted.next }).click()
    await page.getByText(texted.pageTwo, { exact: true }).waitFor()
    t.strictSame(await office.cells(caption), (await json('contracts/?page=2')).results.map(row))
    await page.getByRole('searchbox').fill('arroyo CIMENTACION')
    await page.getByRole('searchbox').press('Enter')
    const search = 'contracts/?search=arroyo%20CIMENTACION'
    const found = await json(search)
    await page.locator('.facts dd').getByText(String(found.count), { exact: true }).waitFor()
    t.strictSame(await office.cells(caption), found.results.map(row))
    const list = await office.download(`${texted.csv}${heading}`)
    t.strictSame(list, { file: 'contracts.csv', content: (await api.get(`${search}&format=csv`)).rawPayload })

    await page.getByRole('link', { name: folio, exact: true }).click()
    await office.heading(folio)
    const [contract, statement, progress, estimates] = await Promise.all(
      [`contracts/${id}/`, `contracts/${id}/estado-de-cuenta/`, `contracts/${id}/avance/`, `estimates/?contract=${id}`].map(json))
    const named = (names: string[], values: string[]) => Object.fromEntries(names.map((name, index) => [name, values[index]]))
    t.strictSame(await office.facts('#summary'), named(texted.summary, [
      contract.contraparte, texted.vigente, `${day(contract.fecha_inicio)} – ${day(contract.fecha_fin)}`,
      ...[contract.monto, contract.monto_original, contract.monto_estimado, contract.por_estimar].map(money)
    ]))
    t.strictSame(await office.facts('#balance'), named([...texted.balance, texted.retained, ...texted.taken], [
      statement.neto, statement.pagado, statement.saldo, statement.anticipo.por_amortizar, statement.retenido[0].importe,
      ...['penas', 'deducciones', 'otros'].map(name => statement[name])
    ].map(money)), 'without the sum of impuestos, which is zero')
    const [title, documents] = texted.statement as [string, string]
    t.strictSame(await office.cells(documents), statement.documentos.map(({ fecha, referencia, ...amounts }: Record<string, string>, index: number) =>
      [texted.documents[index], day(fecha as string), referencia, ...['cargo', 'abono', 'saldo'].map(name => grouped(amounts[name] as string | null))]))
    const [figures, accumulated] = texted.progress as [string, string]
    await page.getByText(figures, { exact: true }).click()
    t.strictSame(await office.cells(accumulated), progress.results.map((period: Record<string, string>) => [
      day(period['hasta'] as string),
      ...['programado', 'ejecutado'].map(name => grouped(period[name] as string)),
      ...['porcentaje_programado', 'porcentaje_ejecutado'].map(name => `${period[name]} %`)
    ]))
    const curve = page.getByRole('img', { name: texted.curve })
    t.ok(await page.evaluate("document.querySelector('.curve').decode().then(() => true)"), 'the browser can draw it')
    t.match(decodeURIComponent(await curve.getAttribute('src') as string), texted.drawn)
    const [bills, billed] = texted.estimates as [string, string]
    t.strictSame(await office.cells(billed), estimates.results.map((estimate: Record<string, string>) => [
      String(estimate['numero']),
      `${day(estimate['periodo_inicio'] as string)} – ${day(estimate['periodo_fin'] as string)}`,
      texted[estimate['estado'] as 'autorizada' | 'borrador'],
      ...['monto', 'neto', 'por_pagar'].map(name => grouped(estimate[name] as string))
    ]))
    await shows('contract')

    const sheet = await office.download(texted.sheet)
    t.equal(sheet.file, `caratula-${estimates.results[0].id}.pdf`)
    t.equal(sheet.content.subarray(0, 5).toString(), '%PDF-')
    const account = await office.download(`PDF: ${title}`)
    t.equal(account.file, `estado-de-cuenta-${id}.pdf`)
    t.equal(account.content.subarray(0, 5).toString(), '%PDF-')
    for (const [name, path] of [[title, `contracts/${id}/estado-de-cuenta/?`], [bills, `estimates/?contract=${id}&`]]) {
      t.strictSame((await office.download(`${texted.csv}${name}`)).content, (await api.get(`${path}format=csv`)).rawPayload, name)
    }

    await office.goTo('contract/999999')
    const [failed, message, back] = texted.missing as [string, string, string]
    await office.heading(failed)
    t.equal(await office.alert(), message)
    await shows('refusal')
    await page.getByRole('link', { name: `← ${back}` }).click()
    await office.heading(heading)

    await office.goTo(`contract/${id}`)
    await office.heading(folio)
    const { name: other, statement: inOther, code } = texted.other
    await office.press(other)
    await page.getByRole('heading', { name: inOther }).waitFor()
    await office.heading(folio)
    t.equal(await page.locator('html').getAttribute('lang'), code)
    t.match(decodeURIComponent(await page.locator('.curve').getAttribute('src') as string), texts[code].drawn, 'the service answers in it too')
    t.equal(await page.getByText(title, { exact: true }).count(), 0)
    t.strictSame(office.faults, [])
  })
}
