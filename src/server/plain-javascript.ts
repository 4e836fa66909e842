import { stripTypeScriptTypes } from 'node:module'

/**
 * A TypeScript module as JavaScript: without its types, line by line, and with imports of `.js` files.
 * @returns an empty text for a module of types only
 */
export function plainJavaScript (source: string): string {
  const code = withoutWarning(() => stripTypeScriptTypes(source))
  if (!/^(?:import|export) /m.test(code)) return ''
  return withJavaScriptImports(code).split('\n').map(line => line.trimEnd()).join('\n')
}

/** Names the JavaScript files of imported modules. A declaration file stays one. */
export function withJavaScriptImports (code: string): string {
  return code.replaceAll(/((?:\bfrom |\bimport\()['"]\.{1,2}\/[^'"]+?)(?<!\.d)\.ts(?=['"])/g, '$1.js')
}

/** Without the warning that the function is experimental. Node.js itself uses it to run TypeScript. */
function withoutWarning (work: () => string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
