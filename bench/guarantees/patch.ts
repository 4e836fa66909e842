import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { guarantees } from './guarantees.ts'

// Preloaded into a server: replaces texts of its source while it loads. A text that does not occur exactly once ends the process.
const root = join(import.meta.dirname, '../..')
const sources = new Map<string, string>()
for (const { file, text, by } of guarantees.find(({ name }) => name === process.env['WITHOUT'])?.patches ?? []) {
  const path = join(root, file)
  const parts = (sources.get(pathToFileURL(path).href) ?? readFileSync(path, 'utf8')).split(text)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${text}`)
  sources.set(pathToFileURL(path).href, parts.join(by))
}
registerHooks({
  load (url, context, next) {
    const source = sources.get(url)
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true }
  }
})
