import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from './page.ts'

const root = join(import.meta.dirname, '../..')
const client = join(root, 'src/client')

/** Files of the client that have only types. */
const onlyTypes = ['**/*.d.ts', '**/types.ts', 'sync/parts.ts']

/** The modules that an example page imports. Its import map names the same ones. */
interface Modules {
  /** Patterns of files of the client, and patterns that leave some out. They are served as JavaScript. */
  client: string[]
  except?: string[]
  /** What the import of a package loads in browsers, by the name of the module. */
  packages: Record<string, string>
}

/**
 * The files of an example page.
 * @param name of its folder in `docs/examples`
 * @returns the folder, and the paths of files and modules by their address below that of the page, always in the same order
 */
export function exampleFiles (name: string, { client: patterns, except = [], packages }: Modules): Pick<Page, 'folder' | 'files'> {
  const folder = join(root, 'docs/examples', name)
  const own = globSync('*.{js,css,svg,webmanifest}', { cwd: folder }).sort()
  const modules = globSync(patterns, { cwd: client, exclude: [...onlyTypes, ...except] }).sort()
  return {
    folder,
    files: Object.fromEntries([
      ...own.map(file => [file, join(folder, file)]),
      ...modules.map(file => [`modules/obra/${file.replace(/ts$/, 'js')}`, join(client, file)]),
      ...Object.entries(packages).map(([file, specifier]) => [`modules/${file}`, fileURLToPath(import.meta.resolve(specifier))])
    ])
  }
}
