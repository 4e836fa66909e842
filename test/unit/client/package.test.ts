import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { clientTypes, syncResources } from '../../../src/cli/client-types.ts'
import { root, run } from '../../support/process.ts'
import { listen } from './server.ts'

t.test('the generated files match the current declarations', async (t) => {
  t.ok(await readFile(join(root, 'src/client/api.d.ts'), 'utf8') === await clientTypes(), 'run npm run client:types')
  for (const [name, text] of Object.entries(syncResources())) t.equal(await readFile(join(root, 'src/client/sync', name), 'utf8'), text, 'run npm run client:types')
})

t.test('its package requires the tested versions and has no command', async (t) => {
  const [service, client] = await Promise.all(['package.json', 'src/client/package.json'].map(async file => JSON.parse(await readFile(join(root, file), 'utf8'))))
  t.equal(client.version, service.version)
  for (const [name, version] of Object.entries(client.dependencies)) t.equal(service.dependencies[name], version, name)
  t.equal(client.bin, undefined)
})

t.test('the npm package installs by `npm install ../obra/src/client` and works as in docs/reference/client.md and docs/reference/store.md, in TypeScript and Node', async (t) => {
  const { origin } = await listen(t)
  const dir = t.testdir({ node_modules: { obra: {} } })
  const packed = await run(t, 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dir, join(root, 'src/client')])
  t.equal(packed.code, 0, packed.stderr)
  await run(t, 'tar', ['-xzf', join(dir, packed.stdout.trim()), '--strip-components=1', '-C', join(dir, 'node_modules/obra')])
  for (const name of ['dexie', 'eventsource-parser', 'openapi-fetch', 'openapi-typescript-helpers']) await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name))

  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
  for (const [page, count] of [['client', 6], ['store', 1]] as const) {
    const text = await readFile(join(root, `docs/reference/${page}.md`), 'utf8')
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
    t.equal(blocks.length, count)
    await writeFile(join(dir, `${page}.ts`), blocks.join('\n').replaceAll('https://api.example.mx', origin))
  }
  await writeFile(join(dir, 'storages.ts'), storages)
  const compiler = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '--lib', 'es2022,dom,dom.iterable', '--noEmitOnError', '--skipDefaultLibCheck', 'client.ts', 'store.ts', 'storages.ts']
  const compiled = await run(t, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...compiler], {}, { dir })
  t.strictSame([compiled.stdout, compiled.code], ['', 0])

  const printed = async (page: string) => {
    const { stdout, stderr } = await run(t, process.execPath, [`${page}.js`], {}, { dir })
    t.equal(stderr, '')
    return stdout.trim().split('\n')
  }
  const [contract, invalid, ...rest] = await printed('client')
  t.match(contract, /^ON-2026-001 48500000\.00 "/)
  t.match(invalid, /^400 invalid \{/)
  t.match(rest.join('\n'), /folio: \[ '.+' \]/)
  t.strictSame(rest.slice(-3), ['200', 'application/pdf %PDF-', '1'])
  t.match(rest.at(-4), /^\d+(\.\d+)?$/)
  t.strictSame(await printed('store'), ['pending true 2', '1 0'])
  t.strictSame(await printed('storages'), ['memory', 'file', 'IndexedDB'])
})

/** Uses the types of the other entry points; a browser's storage also loads in Node.js. */
const storages = `
import { memoryStorage } from 'obra/client/sync'
import type { Creation, LocalRecord, Storage } from 'obra/client/sync'
import { dexieStorage } from 'obra/client/sync/dexie'
import { fileStorage } from 'obra/client/sync/file'

const all: Record<string, () => Storage | Promise<Storage>> = { memory: () => memoryStorage(), file: () => fileStorage('store'), IndexedDB: () => dexieStorage('store') }
export const contract = (body: Creation<'contracts'>): Pick<LocalRecord<'contracts'>, 'folio' | 'parent'> => ({ folio: body.folio, parent: body.parent ?? null })
// @ts-expect-error A body has no such field.
contract({ folio: 'F-1', color: 'red' })
// @ts-expect-error The version of a new record is unknown.
export const version = (record: LocalRecord<'contracts'>): number => record.version
console.log(Object.keys(all).join('\\n'))
`
