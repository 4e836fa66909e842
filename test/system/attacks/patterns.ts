import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describeService } from '../../../src/server/describe-service.ts'

const root = join(import.meta.dirname, '../../..')

/** A regular expression and the file that contains it. */
export interface Pattern {
  source: string
  flags: string
  where: string
}

/** Every regular expression of the running code: literals, arguments of RegExp, `pattern` in schemas and in the OpenAPI document. */
export async function patterns (): Promise<Pattern[]> {
  const found = new Map<string, Pattern>()
  const add = (pattern: Pattern) => found.set(`/${pattern.source}/${pattern.flags}`, pattern)
  for (const file of globSync('{src,plugins,routes}/**/*.{ts,js}', { cwd: root, exclude: ['**/*.d.ts'] }).sort()) {
    visit(ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest), file, add)
  }
  for (const source of described(await describeService())) add({ source, flags: 'u', where: 'the OpenAPI document' })
  return [...found.values()]
}

/** Whether input of a request can reach a pattern in this file. */
export function reachedByRequests (where: string): boolean {
  return !/^src\/(cli|config|accounts\/import|client|doctor|openapi|reference-page)\b/.test(where)
}

function visit (node: ts.Node, where: string, add: (pattern: Pattern) => void): void {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/')
    add({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), where })
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
    const [source] = node.arguments ?? []
    if (source !== undefined && ts.isStringLiteral(source)) add({ source: source.text, flags: '', where })
  }
  if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === 'pattern' && ts.isStringLiteral(node.initializer)) {
    add({ source: node.initializer.text, flags: 'u', where })
  }
  ts.forEachChild(node, child => visit(child, where, add))
}

function described (value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => name === 'pattern' && typeof inside === 'string' ? [inside] : described(inside))
}
