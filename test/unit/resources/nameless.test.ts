import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { registered } from '../../../src/domain/resources.ts'
import { rootOf } from '../../../src/resources/feed/root.ts'

const root = join(import.meta.dirname, '../../..')

/** Names of the resources, and of one record of each, such as `contracts` and `contract`. */
const words = registered.flatMap(({ name, title }) => [name, title.charAt(0).toLowerCase() + title.slice(1)])

/** Where the engine may have such a word, and why. */
const exceptions: Record<string, string> = {
  'src/database/schema/history-function.ts: contract': 'a column of the table `history`'
}

/** The text without comments of TypeScript and SQL. */
function withoutComments (text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/^\s*--.*$/gm, '')
}

t.test('the engine and the database below it name no resource', async (t) => {
  const files = globSync(['src/resources/**/*.{ts,sql}', 'src/database/**/*.{ts,sql}'], { cwd: root }).filter(path => !path.startsWith('src/database/migrations/'))
  t.ok(files.length > 100)
  const word = new RegExp(`(?<![\\w-])(?:${[...new Set(words)].join('|')})(?:_id)?(?![\\w-])`, 'g')
  const found = files.flatMap(path => (withoutComments(readFileSync(join(root, path), 'utf8')).match(word) ?? []).map(name => `${path}: ${name}`))
  t.strictSame([...new Set(found)].filter(place => !Object.hasOwn(exceptions, place)), [])
  t.strictSame(Object.keys(exceptions).filter(place => !found.includes(place)), [], 'exceptions that nothing needs')
})

t.test('a feed has one root at most', async (t) => {
  const declared = rootOf(registered)
  t.equal(declared?.name, 'contracts')
  t.throws(() => rootOf([...registered, ...registered]), { message: 'a feed has one root at most' })
  t.equal(rootOf(registered.filter(({ name }) => name !== 'contracts')), undefined)
})
