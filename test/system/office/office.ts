import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Locator } from 'playwright-core'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { BrowserPage } from '../../support/browser.ts'

export type Language = 'es' | 'en'

/** The page for the office in a browser. */
export class Office extends BrowserPage {
  #address = ''

  /** Opens the page in a browser of this language. */
  static async start (browser: Browser, origin: string, { language, width }: { language: Language, width: number }): Promise<Office> {
    const options = { viewport: { width, height: 800 }, locale: { es: 'es-MX', en: 'en-US' }[language] }
    const office = new Office(...await Office.open(browser, options), /^error: Failed to load resource: /)
    office.#address = `${origin}/example/office/`
    await office.page.goto(office.#address)
    return office
  }

  async press (name: string): Promise<void> {
    await this.page.getByRole('button', { name, exact: true }).click()
  }

  async logIn (email: string, password = demoPassword): Promise<void> {
    await this.page.locator('input[name=email]').fill(email)
    await this.page.locator('input[name=password]').fill(password)
    await this.page.locator('main form button').click()
  }

  /** Goes to an address of the page, such as `contract/1`. */
  async goTo (address: string): Promise<void> {
    await this.page.goto(`${this.#address}#/${address}`)
  }

  /** Waits for the heading of a view. */
  async heading (name: string): Promise<void> {
    await this.page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
  }

  /** Waits for a message and returns it. */
  async alert (): Promise<string> {
    const shown = this.page.getByRole('alert').filter({ hasText: /./ })
    return (await shown.innerText()).trim()
  }

  table (name: string): Locator {
    return this.page.getByRole('table', { name, exact: true })
  }

  /** The cells of a table, by row, without buttons. */
  async cells (name: string): Promise<string[][]> {
    await this.table(name).waitFor()
    const rows = await this.table(name).locator('tbody').getByRole('row').all()
    return await Promise.all(rows.map(async row => await row.locator('td').filter({ hasNot: this.page.getByRole('button') }).allTextContents()))
  }

  /** Names and values of a list. */
  async facts (list: string): Promise<Record<string, string>> {
    const [names, values] = await Promise.all(['dt', 'dd'].map(async tag => await this.page.locator(`${list} ${tag}`).allTextContents()))
    return Object.fromEntries(names.map((name, index) => [name, values[index] as string]))
  }

  /** Presses a button and returns the name and content of the downloaded file. */
  async download (name: string): Promise<{ file: string, content: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(name)])
    return { file: download.suggestedFilename(), content: await readFile(await download.path()) }
  }

  /** What axe finds wrong with the present view. */
  async barriers (): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }

  /** Whether the view is as wide as the window. */
  async fits (): Promise<boolean> {
    return await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  }

  /** Saves a screenshot of the whole view. */
  async screenshot (name: string): Promise<void> {
    await this.save(`office-${name}.png`, { fullPage: true })
  }
}
