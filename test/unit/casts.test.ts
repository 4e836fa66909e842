import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/** Maximum casts of the service and the client. A better type or a check often replaces one. */
const mostCasts = 59

/** The casts in a source, except `as const`, and whether a comment after the code of the line gives the reason. */
function castsIn (file: string, text: string): Array<{ at: string, hasReason: boolean }> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const casts: Array<{ at: string, hasReason: boolean }> = []
  const visit = (node: ts.Node): void => {
    if (ts.isNonNullExpression(node) || (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type))) {
      const line = source.getLineAndCharacterOfPosition(node.end).line
      const rest = text.slice(node.end).split('\n', 1)[0]
      casts.push({ at: `${file}:${line + 1}`, hasReason: /\/\/ \S/.test(rest) })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return casts
}

t.test('each cast of the service and the client has its reason in its line, and there are few', async (t) => {
  const files = globSync(['src/**/*.ts', 'plugins/**/*.ts', 'routes/**/*.ts'], { cwd: root }).filter(file => !file.endsWith('.d.ts'))
  const casts = files.flatMap(file => castsIn(file, readFileSync(join(root, file), 'utf8')))
  t.ok(files.length > 100)
  t.strictSame(casts.filter(({ hasReason }) => !hasReason).map(({ at }) => at), [])
  t.ok(casts.length <= mostCasts, `${casts.length} casts`)
})

t.test('casts are found, also in several lines, and imports and SQL are none', (t) => {
  const found = (text: string) => castsIn('one.ts', text)
  t.strictSame(found("const a = b as string // it has one\nconst c = ['d'] as const"), [{ at: 'one.ts:1', hasReason: true }])
  t.strictSame(found('const a = b as {\n  c: string\n}\nconst d = e!'), [{ at: 'one.ts:3', hasReason: false }, { at: 'one.ts:4', hasReason: false }])
  t.strictSame(found("import { a as b } from 'c'\nconst d = 'select e as f'"), [])
  t.end()
})
