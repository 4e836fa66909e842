import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { nodeOptions, root, withoutTap } from '../support/process.ts'

/** Source files that a request can run through. */
const most: Record<string, number> = { list: 24, record: 24, create: 30, authorize: 32 }

t.test('the page shows the number of files of each request, which stays small', async (t) => {
  // In its own process, because the trace resets the coverage counts of the process.
  const { stdout } = await promisify(execFile)(...withoutTap(process.execPath, [...nodeOptions, join(root, 'test/support/trace-request.ts')]), { cwd: root })
  const page = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8')
  t.equal(/^```\n(all: [\s\S]*?)^```$/m.exec(page)?.[1], stdout)
  const counts = new Map([...stdout.matchAll(/^(\w+): (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]))
  for (const [name, limit] of Object.entries(most)) t.ok((counts.get(name) ?? Infinity) <= limit, `${name}: at most ${limit}`)
})
