import { join } from 'node:path'
import { formatProblems, lintFromString, loadConfig } from '@redocly/openapi-core'
import { describeService } from '../../../src/server/describe-service.ts'

const root = join(import.meta.dirname, '../../..')
const file = join(root, 'openapi.json')

/** Problems that Redocly's linter finds in a document, with the rules of redocly.yaml. */
export async function lint (document: object): Promise<Awaited<ReturnType<typeof lintFromString>>> {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') })
  return await lintFromString({ source: JSON.stringify(document, null, 2), absoluteRef: file, config })
}

if (import.meta.main) {
  const problems = await lint(await describeService())
  formatProblems(problems, { totals: { errors: 0, warnings: 0, ignored: 0 } })
  process.stdout.write(`${problems.length} problems\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
