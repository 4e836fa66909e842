import t from 'tap'
import { openBrowser, withoutBrowser } from '../../support/browser.ts'
import { succeeded } from '../../support/succeeded.ts'
import { listen } from '../../unit/client/server.ts'
import { Office } from './office.ts'
import { texts } from './texts.ts'

const folio = 'ON-2026-003-A'
const estimateCount = 431

/** A refusal after which the client does not wait. */
const refusal = { status: 503, headers: { 'retry-after': '60', 'content-type': 'application/json' }, body: JSON.stringify({ detail: 'Demasiado trabajo.', code: 'unavailable' }) }

/** The parts of the view that the service can refuse, by the end of their requests, with the number of the other tables. */
const parts = { curve: [/avance\/\?width=/, 3], progress: [/avance\/\?page_size=/, 2], statement: [/estado-de-cuenta\/$/, 2], estimates: [/estimates\/\?/, 2] } as const

for (const [language, width] of [['es', 360], ['en', 1280]] as const) {
  t.test(`a contract in the office page, if a part is missing or long: ${language}, ${width} px`, { skip: withoutBrowser }, async (t) => {
    const { origin, as, psql } = await listen(t)
    const director = await as('director@demo.example')
    const texted = texts[language]
    const office = await Office.start(await openBrowser(t), origin, { language, width })
    const { page, context } = office
    await office.logIn('director@demo.example')
    await office.heading(texted.contracts[0] as string)
    const [, billed] = texted.estimates as [string, string]

    await t.test('a part that the service refuses has a sentence in its place, and the others show', async (t) => {
      const { results: [{ id }] } = succeeded(await director.get(`contracts/?folio=${folio}`))
      for (const [name, [url, others]] of Object.entries(parts)) {
        await context.route(url, async route => await route.fulfill(refusal))
        await office.goTo('')
        await office.heading(texted.contracts[0] as string)
        await office.goTo(`contract/${id}`)
        await office.heading(folio)
        t.strictSame(await page.locator('.problem').allInnerTexts(), [texted.refused], name)
        t.equal(await page.locator(`[data-part=${name}]`).innerText(), texted.refused, 'in its place')
        t.equal(await page.locator('table:has(td)').count(), others, 'the other tables have rows')
        t.equal(await page.locator('.curve').count(), name === 'curve' ? 0 : 1)
        t.equal((await office.facts('#summary'))[texted.summary[0] as string] !== undefined, true)
        t.strictSame(await office.barriers(), [], name)
        t.ok(await office.fits(), name)
        await office.screenshot(`without-${name}-${width}-${language}`)
        await context.unroute(url)
      }
    })

    await t.test('a long list has a button for the next page, and goes on after a lost connection', async (t) => {
      const { id } = succeeded(await director.post('contracts/', { folio: 'LARGO' }))
      await psql('insert into estimates (company_id, contract_id) select 1, $1 from generate_series(1, $2)', [id, estimateCount])
      await office.goTo(`contract/${id}`)
      await office.heading('LARGO')
      const numbers = async (shown: number) => {
        const caption = shown < estimateCount ? `${billed} (${texted.first} ${shown} ${texted.of} ${estimateCount})` : billed
        await office.table(caption).waitFor()
        return (await page.locator('#estimates tbody td:first-child').allTextContents()).map(Number)
      }
      const more = page.getByRole('button', { name: `${texted.more}: ${billed}`, exact: true })
      const first = await numbers(200)
      t.equal(first.length, 200)
      t.strictSame(await office.barriers(), [])
      await more.scrollIntoViewIfNeeded()
      await office.screenshot(`more-${width}-${language}`)

      await context.setOffline(true)
      await more.click()
      t.match(await office.alert(), texted.noConnection)
      await context.setOffline(false)
      await more.click()
      t.strictSame((await numbers(400)).slice(0, 200), first)
      t.equal(await page.evaluate('document.activeElement.rowIndex'), 201, 'the focus is on the first new row')
      t.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
      await more.click()
      const all = await numbers(estimateCount)
      t.strictSame([...all].sort((a, b) => a - b), Array.from({ length: estimateCount }, (_, index) => index + 1), 'each one once')
      t.equal(await more.isVisible(), false)
      t.ok(await office.fits())
    })
    t.strictSame(office.faults, [])
  })
}
