import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { plainJavaScript, withJavaScriptImports } from '../../../src/server/plain-javascript.ts'
import { root, run } from '../../support/process.ts'

t.test('a module keeps its lines and loses its types', async (t) => {
  const source = [
    "import { one } from './one.ts'",
    "import type { Two } from '../two.ts'",
    "export { three } from '../three.ts'",
    "export type { Four } from './four.ts'",
    'interface Five { five: string }',
    'export const six = (seven: Two): Five => one<Two>(seven) as Five'
  ].join('\n')
  t.equal(plainJavaScript(source).replaceAll(/ +/g, ' '), [
    "import { one } from './one.js'",
    '',
    "export { three } from '../three.js'",
    '',
    '',
    'export const six = (seven ) => one (seven)'
  ].join('\n'))
})

t.test('a module of types only has no JavaScript', async (t) => {
  t.equal(plainJavaScript("import type { A } from './a.ts'\n\n/** A type. */\nexport interface B { a: A }\n"), '')
  t.equal(plainJavaScript(readFileSync(join(root, 'src/client/sync/types.ts'), 'utf8')), '')
})

t.test('imports of declaration files stay', async (t) => {
  t.equal(withJavaScriptImports("import type { A } from './a.d.ts'\nexport declare const b: import(\"./b.ts\").B\n"), "import type { A } from './a.d.ts'\nexport declare const b: import(\"./b.js\").B\n")
})

t.test('Node.js does not warn of it', async (t) => {
  const script = "import { plainJavaScript } from './src/server/plain-javascript.ts'\nconsole.log(plainJavaScript('export const a: 1 = 1'))"
  const { stdout, stderr } = await run(t, process.execPath, ['--input-type=module', '--eval', script], {}, { dir: root })
  t.strictSame([stdout.replaceAll(/ +/g, ' '), stderr], ['export const a = 1\n', ''])
})
