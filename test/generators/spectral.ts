import { createRequire } from 'node:module'
import type { Place } from './tools.ts'

const require = createRequire(import.meta.url)

/** Lints with `spectral:oas`. The specification ends every path with a slash, which one rule reports. @throws for any other report */
export async function spectral ({ document }: Place): Promise<string> {
  const { Spectral } = require('@stoplight/spectral-core')
  const { oas } = require('@stoplight/spectral-rulesets')
  const linter = new Spectral()
  linter.setRuleset({ extends: [oas] })
  const reports: Array<{ code: string, message: string, path: string[] }> = await linter.run(JSON.parse(JSON.stringify(document)))
  const others = reports.filter(({ code }) => code !== 'path-keys-no-trailing-slash')
  if (others.length > 0) throw new Error(others.map(({ code, message, path }) => `${code} ${path.join('/')} ${message}`).join('\n'))
  return 'no problem, except the trailing slashes of the paths'
}
