import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lint } from '../support/openapi/redocly.ts'
import { postman } from './postman.ts'
import { spectral } from './spectral.ts'

const run = promisify(execFile)

/** Where a tool finds its input and writes its output. */
export interface Place {
  /** A folder with `openapi.json` and `node_modules`. */
  folder: string
  document: object
  /** The folder of the main package. */
  root: string
}

/** A tool, and what it does with the document. It throws for a failure. */
export interface Tool {
  name: string
  /** Package with the version of the tool. */
  package: string
  checks: string
  run: (place: Place) => Promise<string>
}

async function command (place: Place, name: string, args: string[]): Promise<void> {
  const bin = join(name === 'tsc' || name === 'openapi-typescript' ? place.root : place.folder, 'node_modules/.bin', name)
  try {
    await run(bin, args, { cwd: place.folder, maxBuffer: 100e6 })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string, stderr: string }
    throw new Error(`${name} ${args.join(' ')}\n${stdout.slice(0, 4000)}${stderr.slice(0, 4000)}`)
  }
}

/** Compiles the generated files strictly. */
async function compile (place: Place, output: string): Promise<string> {
  const options = {
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: []
  }
  await writeFile(join(place.folder, `${output}.json`), JSON.stringify({ compilerOptions: options, include: [output], exclude: ['node_modules'] }))
  await command(place, 'tsc', ['-p', `${output}.json`])
  return 'compiles'
}

const typed = (name: string, package_: string, output: string, generate: (place: Place) => Promise<void>): Tool => ({
  name,
  package: package_,
  checks: '`tsc --strict`',
  run: async (place) => {
    await generate(place)
    return await compile(place, output)
  }
})

async function config (place: Place, file: string, text: string): Promise<void> {
  await writeFile(join(place.folder, file), text)
}

const orval = (client: string) => typed(`orval, ${client}`, 'orval', `orval-${client}`, async (place) => {
  const target = { input: { target: 'openapi.json' }, output: { target: `orval-${client}/index.ts`, client, mode: 'single' } }
  await config(place, `orval-${client}.config.mjs`, `export default ${JSON.stringify({ obra: target })}`)
  await command(place, 'orval', ['--config', `orval-${client}.config.mjs`])
})

const kubb = `
import { defineConfig } from '@kubb/core'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { pluginZod } from '@kubb/plugin-zod'
import { pluginClient } from '@kubb/plugin-client'
export default defineConfig({
  root: '.',
  input: { path: 'openapi.json' },
  output: { path: 'kubb', clean: true, format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginZod({ version: '4' }), pluginClient({ client: 'axios' })]
})`

const quicktype = (language: string, extension: string, check?: (place: Place) => Promise<void>): Tool => ({
  name: `quicktype, ${language}`,
  package: 'quicktype',
  checks: check === undefined ? 'generates; not compiled' : 'generates, and Python compiles the file',
  run: async (place) => {
    const source = 'openapi.json#/components/schemas/'
    await command(place, 'quicktype', ['--src-lang', 'schema', '--lang', language, '--out', `obra.${extension}`, source])
    await check?.(place)
    return check === undefined ? 'generates' : 'compiles'
  }
})

/** All tools, in the order of the table. */
export const tools: Tool[] = [
  typed('openapi-typescript', 'openapi-typescript', 'types.ts', async place => await command(place, 'openapi-typescript', ['openapi.json', '-o', 'types.ts'])),
  typed('hey-api: types, SDK, zod', '@hey-api/openapi-ts', 'hey-api', async place => await command(place, 'openapi-ts', [
    '-i', 'openapi.json', '-o', 'hey-api', '-p', '@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', 'zod'])),
  orval('zod'),
  orval('fetch'),
  typed('kubb: types, zod, client', '@kubb/core', 'kubb', async (place) => {
    await config(place, 'kubb.config.mjs', kubb)
    await command(place, 'kubb', ['generate', '--config', 'kubb.config.mjs'])
  }),
  quicktype('kotlin', 'kt'),
  quicktype('swift', 'swift'),
  quicktype('dart', 'dart'),
  quicktype('python', 'py', async ({ folder }) => { await run('python3', ['-m', 'py_compile', 'obra.py'], { cwd: folder }) }),
  { name: 'openapi-to-postmanv2, for Postman', package: 'openapi-to-postmanv2', checks: 'newman sends the requests on demo data', run: postman },
  { name: 'spectral', package: '@stoplight/spectral-core', checks: '`spectral:oas`', run: spectral },
  {
    name: 'redocly',
    package: '@redocly/openapi-core',
    checks: '`recommended`, without the rule on trailing slashes',
    run: async ({ document }) => {
      const problems = await lint(document)
      if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
      return 'no problem'
    }
  }
]
