import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from '../support/process.ts'

/** Files of ours that a request may run through. */
const most: Record<string, number> = { list: 16, record: 16, create: 20, authorize: 22 }

t.test('the page shows the files of each request, and they are few', async (t) => {
  // A process of its own: the trace resets the counts of this one's coverage.
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'test/support/trace-request.ts')], { cwd: root, env })
  const page = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8')
  t.equal(/^```\n(all: [\s\S]*?)^```$/m.exec(page)?.[1], stdout)
  const counts = new Map([...stdout.matchAll(/^(\w+): (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]))
  for (const [name, limit] of Object.entries(most)) t.ok((counts.get(name) ?? Infinity) <= limit, `${name}: at most ${limit}`)
})
