import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { nodeOptions, root, withoutTap } from '../support/process.ts'

/** Files that a request can run through, all files with an executed function. */
const maxFiles: Record<string, number> = { list: 19, record: 19, create: 24, keyed: 26, mutation: 34, patch: 25 }

t.test('the page shows the number of files of each request, which stays small', async (t) => {
  // In its own process, because the trace resets the coverage counts of the process.
  const { stdout } = await promisify(execFile)(...withoutTap(process.execPath, [...nodeOptions, join(root, 'test/support/trace-request.ts')]), { cwd: root })
  const page = readFileSync(join(root, 'docs/explanation/architecture.md'), 'utf8')
  t.equal(/^```\n(all: [\s\S]*?)^```$/m.exec(page)?.[1], stdout)
  const counts = new Map([...stdout.matchAll(/^(\w+): (\d+)$/gm)].map(([, name, count]) => [name, Number(count)]))
  for (const [name, limit] of Object.entries(maxFiles)) t.ok((counts.get(name) ?? Infinity) <= limit, `${name}: at most ${limit}`)
})

/** The files that each file imports, types included. */
function importsOfFiles (): Map<string, string[]> {
  const files = globSync('{src,plugins,routes}/**/*.{ts,js}', { cwd: root })
  const known = new Set(files)
  return new Map(files.map((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    const imported = [...source.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)].map(([, path]) => normalize(join(file, '..', path)))
    return [file, imported.filter(path => known.has(path))]
  }))
}

t.test('no files import each other in a circle', async (t) => {
  const left = importsOfFiles()
  // Removes the files that import no other file, until none is left or each imports another one.
  for (let size = Infinity; left.size < size;) {
    size = left.size
    for (const [file, imported] of left) if (!imported.some(path => left.has(path))) left.delete(file)
  }
  t.strictSame([...left.keys()], [])
})
