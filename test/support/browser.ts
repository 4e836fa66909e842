import { existsSync } from 'node:fs'
import type { Test } from 'tap'
import { chromium, type Browser } from 'playwright-core'
import { passedOver } from './missing.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path))

/** The reason to skip browser tests, or false. */
export const withoutBrowser: string | false = passedOver(executablePath === undefined && 'Chromium is not installed')

/** Disables the browser's own network traffic, and the sandbox, with which Chromium does not start as root. */
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** Starts headless Chromium with a fresh profile; it closes with the test. */
export async function openBrowser (t: Test): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '/usr/bin/chromium', args })
  t.teardown(async () => await browser.close())
  return browser
}
