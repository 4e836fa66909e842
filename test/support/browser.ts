import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page, type PageScreenshotOptions } from 'playwright-core'
import { passedOver } from './missing.ts'
import { server } from './template.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path))

/** The reason to skip browser tests, or false. Pages only need answers, which other tests compare on both databases. */
export const withoutBrowser: string | false = server === undefined
  ? passedOver(executablePath === undefined && 'Chromium is not installed')
  : 'the suite on the embedded database opens the pages'

/** Disables the browser's own network traffic, and the sandbox, with which Chromium does not start as root. */
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Starts headless Chromium with a fresh profile; it closes with the test. */
export async function openBrowser (t: Test): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '/usr/bin/chromium', args })
  t.teardown(async () => await browser.close())
  return browser
}

/** Longest wait in ms for a change on a page. */
export const patience = 30_000

/** A page in a window of its own. */
export class BrowserPage {
  readonly context: BrowserContext
  readonly page: Page
  /** Console messages and errors, except for the expected ones. */
  readonly faults: string[] = []

  /** @param expected messages about requests that the test lets fail */
  protected constructor (context: BrowserContext, page: Page, expected: RegExp) {
    this.context = context
    this.page = page
    context.setDefaultTimeout(patience)
    context.on('weberror', fault => this.faults.push(fault.error().message))
    context.on('console', (message) => {
      const text = `${message.type()}: ${message.text()}`
      if (!expected.test(text)) this.faults.push(text)
    })
  }

  /** Opens a window without stored data. */
  protected static async open (browser: Browser, options: BrowserContextOptions): Promise<[BrowserContext, Page]> {
    const context = await browser.newContext(options)
    return [context, await context.newPage()]
  }

  /** Writes a screenshot to the folder in the variable SCREENSHOTS, if it is set. */
  protected async save (file: string, options: PageScreenshotOptions): Promise<void> {
    const folder = process.env['SCREENSHOTS']
    if (folder !== undefined) await this.page.screenshot({ path: join(folder, file), ...options })
  }
}
