import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { plainJavaScript, withJavaScriptImports } from '../server/plain-javascript.ts'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'src/client')

/** Files by their path in the package of the client. */
type Files = Record<string, string>

interface Manifest {
  exports: Record<string, string | { types: string }>
}

/** The JavaScript of the client. */
export function clientScripts (): Files {
  const sources = globSync(['*.ts', 'sync/*.ts'], { cwd: client, exclude: ['*.d.ts'] }).sort()
  const files = sources.map(name => [name.replace(/ts$/, 'js'), plainJavaScript(readFileSync(join(client, name), 'utf8'))])
  return Object.fromEntries(files.filter(([, code]) => code !== ''))
}

/** The declarations of the client that its entry points need. `api.d.ts` is generated beside the sources. @throws {Error} of TypeScript */
function clientDeclarations (): Files {
  const { exports }: Manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'))
  const entries = Object.values(exports).flatMap(entry => typeof entry === 'string' ? [] : [join(entry.types)])
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const program = ts.createProgram(entries.map(name => join(client, name.replace(/\.d\.ts$/, '.ts'))), {
    ...options, noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: client, outDir: client
  })
  const emitted: Files = { 'api.d.ts': readFileSync(join(client, 'api.d.ts'), 'utf8') }
  const { diagnostics } = program.emit(undefined, (path, text) => { emitted[relative(client, path)] = withJavaScriptImports(text) })
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})))

  const needed = new Set(entries)
  for (const name of needed) {
    for (const [, imported = ''] of emitted[name]?.matchAll(/\bfrom '(\.[^']+)'/g) ?? []) {
      needed.add(join(dirname(name), imported.replace(/\.js$/, '.d.ts')))
    }
  }
  return Object.fromEntries([...needed].map(name => [name, emitted[name]]))
}

/** Writes files into a folder. */
export function writeFiles (folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

if (import.meta.main) {
  const [folder = client] = process.argv.slice(2)
  writeFiles(folder, { ...clientScripts(), ...clientDeclarations() })
}
