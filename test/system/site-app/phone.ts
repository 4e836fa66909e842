import type { Browser, Locator } from 'playwright-core'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { BrowserPage, patience } from '../../support/browser.ts'

/** A phone with the app. */
export class Phone extends BrowserPage {
  #address = ''

  /** Opens the app, logs in and waits until it also opens offline. */
  static async start (browser: Browser, origin: string, email: string): Promise<Phone> {
    const phone = new Phone(...await Phone.open(browser, { viewport: { width: 390, height: 844 }, locale: 'es-MX' }), /^error: Failed to load resource: net::ERR_/)
    const { page } = phone
    phone.#address = `${origin}/example/`
    await page.goto(phone.#address)
    await phone.logIn(email)
    await phone.status(/^Sincronizado · actualizado/)
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return phone
  }

  async logIn (email: string, password = demoPassword): Promise<void> {
    await this.page.getByLabel('Correo').fill(email)
    await this.page.getByLabel('Contraseña').fill(password)
    await this.page.getByRole('button', { name: 'Entrar' }).click()
  }

  async setOffline (isOffline: boolean): Promise<void> {
    await this.context.setOffline(isOffline)
  }

  /** Waits until the line below the title has this text. */
  async status (text: RegExp): Promise<void> {
    const line = this.page.locator('#status')
    try {
      await line.filter({ hasText: text }).waitFor()
    } catch (error) {
      throw new Error(`the status is "${await line.textContent()}" instead of ${text}:\n${await this.page.locator('body').innerText()}`, { cause: error })
    }
  }

  /** Loads the page of the list again and waits for this heading. @returns whether the service worker has answered */
  async reload (heading = 'Contratos'): Promise<boolean> {
    await this.page.goto('about:blank')
    const response = await this.page.goto(this.#address)
    await this.page.getByRole('heading', { name: heading }).waitFor()
    return response?.fromServiceWorker() === true
  }

  /** Opens the page of a contract from the list. */
  async openContract (folio: string): Promise<void> {
    await this.page.getByRole('link', { name: 'Obra en sitio' }).click()
    await this.page.getByRole('searchbox').fill(folio)
    await this.page.getByRole('link').filter({ has: this.page.getByText(folio, { exact: true }) }).click()
    await this.page.getByRole('heading', { name: folio, exact: true }).waitFor()
  }

  /** Creates a contract and opens it. */
  async createContract (values: Record<string, string>, contraparte = 'ninguna'): Promise<void> {
    await this.page.getByRole('link', { name: 'Obra en sitio' }).click()
    await this.page.getByRole('link', { name: 'Nuevo contrato' }).click()
    await this.page.getByLabel('contraparte').selectOption(contraparte)
    for (const [name, value] of Object.entries(values)) await this.page.locator(`main [name=${name}]`).fill(value)
    await this.page.getByRole('button', { name: 'Crear' }).click()
  }

  /** Adds an estimate to the open contract. */
  async addEstimate (monto: string): Promise<void> {
    const form = this.page.locator('form', { hasText: 'Agregar una estimación' })
    await form.getByLabel('monto').fill(monto)
    await form.getByRole('button', { name: 'Agregar' }).click()
  }

  /** Takes a photo in the view of an estimate. */
  async takePhoto (image: Buffer): Promise<void> {
    await this.page.getByLabel('Tomar foto').setInputFiles({ name: 'image.bmp', mimeType: 'image/bmp', buffer: image })
  }

  /** The form of the open contract. */
  get fields (): Locator {
    return this.page.locator('form').filter({ has: this.page.getByLabel('folio') })
  }

  /** An input of the open contract, by the field. */
  field (name: string): Locator {
    return this.fields.locator(`[name=${name}]`)
  }

  /** Presses a button that asks whether the user is sure, and answers. @returns the question */
  async pressAndConfirm (button: Locator, isSure = true): Promise<string> {
    const question = this.page.waitForEvent('dialog').then(async (dialog) => {
      await (isSure ? dialog.accept() : dialog.dismiss())
      return dialog.message()
    })
    await button.click()
    return await question
  }

  /** Edits the open contract. */
  async edit (values: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value)
    await this.fields.getByRole('button', { name: 'Guardar' }).click()
  }

  /** Waits until the open contract shows these values. */
  async shows (values: Record<string, string>): Promise<void> {
    // `waitForFunction` needs `eval`, which the policy of the page forbids.
    const different = async () => {
      const shown = await Promise.all(Object.keys(values).map(async name => [name, await this.field(name).inputValue()]))
      return shown.find(([name = '', value]) => values[name] !== value)
    }
    for (const end = Date.now() + patience; ;) {
      const found = await different()
      if (found === undefined) return
      if (Date.now() > end) throw new Error(`the contract shows ${found.join(' ')}`)
      await this.page.waitForTimeout(20)
    }
  }

  /** Folio, amount and mark of each contract in the list, by folio. */
  async list (): Promise<string[][]> {
    await this.page.getByRole('link', { name: 'Obra en sitio' }).click()
    await this.page.getByRole('heading', { name: 'Contratos' }).waitFor()
    await this.page.getByText(/^[1-9]\d* contratos$/).waitFor()
    const columns = await Promise.all(['folio', 'monto', 'sync'].map(async field => await this.page.locator(`.rows [data-field=${field}]`).allTextContents()))
    return columns[0].map((_, row) => columns.map(column => column[row])).sort(([one = ''], [other = '']) => one < other ? -1 : 1)
  }

  /** Saves a screenshot of the upper part. */
  async screenshot (file: string): Promise<void> {
    await this.save(file, { clip: { x: 0, y: 0, width: 390, height: 620 } })
  }
}
