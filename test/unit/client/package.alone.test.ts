import { cpSync, existsSync, globSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { runInContext } from 'node:vm'
import type { Context } from 'node:vm'
import t from 'tap'
import { build as bundle } from 'vite'
import type { InlineConfig } from 'vite'
import type { Tokens } from 'obra/client'
import type { Store, StoreOptions } from 'obra/client/sync'
import type { SqliteDatabase } from 'obra/client/sync/sqlite'
import { clientScripts } from '../../../src/cli/emit-client.ts'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { fileOf, sha256Of } from '../../support/attaching.ts'
import { newFolder, root, run } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { reactNative } from './react-native.ts'
import { listen } from './server.ts'
import { expoDatabase } from './sync/expo-database.ts'

const read = async (path: string) => await readFile(join(root, path), 'utf8')
const blocksOf = (page: string) => [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
const modules = join(root, 'node_modules')

/** Uses the types of the other entry points; the storages of browsers and phones also load in Node.js. */
const storages = `
import { memoryStorage } from 'obra-client/sync'
import type { Creation, LocalRecord, Storage } from 'obra-client/sync'
import { dexieStorage } from 'obra-client/sync/dexie'
import { fileStorage } from 'obra-client/sync/file'
import { sqliteStorage } from 'obra-client/sync/sqlite'
import type { SqliteDatabase } from 'obra-client/sync/sqlite'

declare const database: SqliteDatabase
const all: Record<string, () => Storage | Promise<Storage>> = {
  memory: () => memoryStorage(), file: () => fileStorage('store'), IndexedDB: () => dexieStorage('store'), SQLite: () => sqliteStorage(database)
}
export const contract = (body: Creation<'contracts'>): Pick<LocalRecord<'contracts'>, 'folio' | 'parent'> => ({ folio: body.folio, parent: body.parent ?? null })
// @ts-expect-error A body has no such field.
contract({ folio: 'F-1', color: 'red' })
// @ts-expect-error The version of a new record is unknown.
export const version = (record: LocalRecord<'contracts'>): number => record.version
console.log(Object.keys(all).join('\\n'))
`

/** The script of a page. Its store keeps its copy in memory, because the test runs it in Node.js. */
const page = `
import { createObraClient } from 'obra-client'
import { memoryStorage, openStore } from 'obra-client/sync'
import { dexieStorage } from 'obra-client/sync/dexie'

const client = createObraClient({ baseUrl: 'https://api.example.mx', email: 'director@demo.example', password: 'demo-obra-1' })
const store = await openStore({ client, storage: 'indexedDB' in globalThis ? dexieStorage('page') : memoryStorage() })
await store.sync()
console.log((await store.contracts.list({ folio: 'ON-2026-001' })).map(({ folio }) => folio).join())
await store.close()
`

/** The script of an app for phones. */
const phone = `
import { createObraClient, type Tokens } from 'obra-client'
import { openStore, type Store } from 'obra-client/sync'
import { sqliteStorage, type SqliteDatabase } from 'obra-client/sync/sqlite'

export async function begin (baseUrl: string, database: SqliteDatabase, password: string) {
  let kept: Tokens | undefined
  const client = createObraClient({ baseUrl, onTokens: (tokens) => { kept = tokens } })
  await client.logIn({ email: 'director@demo.example', password })
  const store = await openStore({ client, storage: await sqliteStorage(database), resources: ['adjuntos'] })
  await store.sync()
  return { store, tokens: () => kept }
}

export async function again (baseUrl: string, database: SqliteDatabase, tokens: Tokens) {
  return await openStore({ client: createObraClient({ baseUrl, tokens }), storage: await sqliteStorage(database), resources: ['adjuntos'] })
}

/** What expo-crypto does in native code. */
export type Sha256 = NonNullable<Parameters<typeof openStore>[0]['sha256']>

export async function withPhotos (baseUrl: string, database: SqliteDatabase, tokens: Tokens, sha256: Sha256) {
  const client = createObraClient({ baseUrl, tokens })
  return await openStore({ client, storage: await sqliteStorage(database), resources: ['adjuntos'], sha256 })
}

export async function aborted (store: Store) {
  const controller = new AbortController()
  const result = store.sync({ signal: controller.signal }).then(() => 'no error', (error: Error) => error.name)
  controller.abort()
  return await result
}
`

const { origin, client: clientOf } = await listen(t)
const dir = t.testdir({})

// `npm pack ./src/client` and `npm install ../obra/obra-client-1.1.0-dev.tgz`, as in docs/reference/client.md. The packages that it depends on
// come from this project, not from the registry. The command writes files into `src/client`, so it runs in a copy of the checkout.
await writeFile(join(dir, 'package.json'), '{"private":true,"type":"module"}')
const checkout = join(newFolder(t).dir, 'obra')
const client = join(checkout, 'src/client')
cpSync(join(root, 'src/client'), client, { recursive: true })
for (const name of ['node_modules', 'package.json', 'src/cli']) symlinkSync(join(root, name), join(checkout, name))
const before = readdirSync(client, { recursive: true, encoding: 'utf8' }).sort()
const packed = await run(t, 'npm', ['pack', '--silent', '--foreground-scripts=false', '--pack-destination', dir, './src/client'], {}, { dir: checkout })
const { dependencies } = JSON.parse(await read('src/client/package.json')) as { dependencies: Record<string, string> }
const tarballs = [`./${packed.stdout.trim()}`, ...Object.keys(dependencies).map(name => join(modules, name))]
const installed = await run(t, 'npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--install-links', '--cache', join(dir, '.npm'), ...tarballs], {}, { dir })

const sources: Record<string, string> = {
  client: blocksOf(await read('docs/reference/client.md')).join('\n'),
  store: blocksOf(await read('docs/reference/store.md')).join('\n'),
  readme: blocksOf(await read('src/client/README.md')).join('\n')
}

/** Options of each build. */
const silent: InlineConfig = { root: dir, configFile: false, logLevel: 'error', clearScreen: false }

/** A page with the address of the server. */
const service = (text: string) => text.replaceAll('https://api.example.mx', origin)

t.test('the tarball installs, without a package that is not its own', async (t) => {
  t.strictSame([packed.code, installed.code, installed.stderr], [0, 0, ''], packed.stderr)
  t.strictSame(readdirSync(join(dir, 'node_modules')).filter(name => !name.startsWith('.')).sort(), ['obra-client', ...Object.keys(dependencies)].sort())
  const own = join(dir, 'node_modules/obra-client')
  const { version, license } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  t.strictSame([`obra-client-${version}.tgz`, license], [packed.stdout.trim(), 'MIT'])
  t.equal(readFileSync(join(own, 'LICENSE'), 'utf8'), await read('LICENSE'))
  t.equal(readFileSync(join(own, 'README.md'), 'utf8'), await read('src/client/README.md'))
  const leaving = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter(file => /\.(js|ts)$/.test(file)).flatMap((file) => {
    const text = readFileSync(join(own, file), 'utf8')
    const packages = [...text.matchAll(/(?:from|import) '([^.'$][^']*)'/g)].map(([, name = '']) => name)
    const above = [...text.matchAll(/(?:from|import) '((?:\.\.\/)+)/g)].filter(([, steps = '']) => steps.length / 3 >= file.split('/').length)
    return [...packages.filter(name => !(name in dependencies) && !(name.startsWith('node:') && file.startsWith('sync/file'))), ...above.map(() => file)]
  })
  t.strictSame(leaving, [])
})

t.test('it has only JavaScript and declarations, and the checkout is as before', async (t) => {
  const own = join(dir, 'node_modules/obra-client')
  const files = globSync('**/*.*', { cwd: own }).map(file => file.replaceAll('\\', '/')).sort()
  t.strictSame(files.filter(file => !/\.(js|d\.ts)$/.test(file)), ['README.md', 'package.json'])
  t.strictSame(files.filter(file => file.endsWith('.js')), Object.keys(clientScripts()).sort())
  const { exports } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as { exports: Record<string, string | Record<string, string>> }
  const named = Object.values(exports).flatMap(entry => typeof entry === 'string' ? entry : Object.values(entry))
  t.strictSame(named.filter(file => !existsSync(join(own, file))), [])
  for (const file of files.filter(file => /\.(js|ts)$/.test(file))) {
    const relative = [...readFileSync(join(own, file), 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)/g)].map(([, name = '']) => join(dirname(file), name))
    t.strictSame(relative.filter(name => !files.includes(name) && !files.includes(name.replace(/\.js$/, '.d.ts'))), [], file)
  }
  t.strictSame(readdirSync(client, { recursive: true, encoding: 'utf8' }).sort(), before)
})

t.test('its types serve strict TypeScript projects', async (t) => {
  t.strictSame([sources['client'], sources['store'], sources['readme']].map(text => text?.match(/^import /gm)?.length), [1, 2, 2])
  for (const [name, text] of Object.entries({ ...sources, storages, phone, page })) await writeFile(join(dir, `${name}.ts`), service(text))
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], noEmitOnError: true }
  // The first checks the package's types too, the second what most projects check.
  await writeFile(join(dir, 'nodenext.json'), JSON.stringify({ compilerOptions: { ...strict, module: 'nodenext', skipDefaultLibCheck: true }, include: ['*.ts'] }))
  await writeFile(join(dir, 'bundler.json'), JSON.stringify({ compilerOptions: { ...strict, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true, noEmit: true }, include: ['*.ts'] }))
  for (const project of ['nodenext.json', 'bundler.json']) {
    const compiled = await run(t, process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', project], {}, { dir })
    t.strictSame([compiled.stdout, compiled.code], ['', 0], project)
  }
})

t.test('it works in Node.js as in docs/reference/client.md, docs/reference/store.md and its README', async (t) => {
  const old = nodeOfSystem()
  const { stdout: version } = await run(t, old, ['--version'])
  const printed = async (page: string) => {
    const { stdout, stderr } = await run(t, 'env', ['-u', 'NODE_OPTIONS', old, `${page}.js`], {}, { dir })
    t.equal(stderr, '', `${page} in Node.js ${version.trim()}`)
    return stdout.trim().split('\n')
  }
  const [contract, invalid, ...rest] = await printed('client')
  t.match(contract, /^ON-2026-001 48500000\.00 "/)
  t.match(invalid, /^400 invalid \{/)
  t.match(rest.join('\n'), /folio: \[ '.+' \]/)
  t.strictSame(rest.slice(-3), ['200', 'application/pdf %PDF-', '1'])
  t.match(rest.at(-4), /^ON-2026-\S+ \d+\.\d\d$/)
  t.strictSame(await printed('store'), ['pending true 2', '1 0'])
  t.strictSame(await printed('storages'), ['memory', 'file', 'IndexedDB', 'SQLite'])
  const readme = await printed('readme')
  t.equal(readme[0], 'director@demo.example 3')
  t.strictSame(readme.slice(-2), ['pending 1', 'synced'])
})

t.test('Vite builds a page with it', async (t) => {
  await writeFile(join(dir, 'index.html'), '<!doctype html><script type="module" src="page.ts"></script>')
  await bundle({ ...silent, build: { outDir: 'built', modulePreload: { polyfill: false } } })
  const [file = ''] = readdirSync(join(dir, 'built/assets'))
  const alone = join(newFolder(t).dir, 'page.mjs')
  await copyFile(join(dir, 'built/assets', file), alone)
  const { stdout, stderr } = await run(t, process.execPath, [alone])
  t.strictSame([stdout, stderr], ['ON-2026-001\n', ''])
})

t.test('it works with the globals of React Native, and with SQLite', async (t) => {
  await writeFile(join(dir, 'globals.js'), `
import { AbortController, AbortSignal } from '${join(modules, 'abort-controller/dist/abort-controller.mjs')}'
import '${join(modules, 'whatwg-fetch/fetch.js')}'
Object.assign(globalThis, { AbortController, AbortSignal })
`)
  await writeFile(join(dir, 'app.js'), "import './globals.js'\nexport * from './phone.ts'\n")
  await bundle({ ...silent, build: { outDir: 'bundled', minify: false, lib: { entry: 'app.js', formats: ['iife'], name: 'phone', fileName: () => 'phone.js' } } })
  const engine = phoneEngine()
  const inEngine = engine['phone'] as Phone
  for (const [name, missing] of [['URL', "'react-native-url-polyfill/auto'"], ['crypto.getRandomValues', "'react-native-get-random-values'"]] as const) {
    await t.rejects(inEngine.begin(origin, expoDatabase(':memory:'), demoPassword), {
      name: 'TypeError', message: `createObraClient needs the global ${name}, which is missing here or incomplete. In React Native, import ${missing} before the client.`
    })
    // What the polyfills do.
    if (name === 'URL') Object.assign(engine, { URL, URLSearchParams })
    else Object.assign(engine, { crypto: { getRandomValues: (view: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(view) } })
  }
  await t.rejects(inEngine.begin('/api', expoDatabase(':memory:'), demoPassword), { name: 'TypeError', message: /^baseUrl "\/api" cannot be used: .+ React Native, it must be an absolute URL/ })

  const path = join(dir, 'phone.db')
  const { store, tokens } = await inEngine.begin(origin, expoDatabase(path), demoPassword)
  const { id } = await store.contracts.create({ folio: 'MOVIL-1', monto: '10.00' })
  t.equal(store.status.pending, 1)
  await store.sync()
  t.match(await store.contracts.get(id), { sync: 'synced', version: 1 })

  const { obra } = clientOf()
  const { data } = await obra.GET('/api/v1/contracts/', { params: { query: { folio: 'MOVIL-1' } } })
  const contract = data?.results[0]
  await obra.PATCH('/api/v1/contracts/{id}/', { params: { path: { id: contract?.id as number } }, body: { monto: '11.00' } })
  await store.contracts.update(id, { monto: '12.00' })
  await store.sync()
  t.match(store.conflicts, [{ fields: { monto: { base: '10.00', mine: '12.00', theirs: '11.00' } } }])
  await store.conflicts[0]?.keepMine()
  store.start()
  await until(async () => (await store.contracts.get(id))?.sync === 'synced')
  await store.stop()
  t.equal((await obra.GET('/api/v1/contracts/{id}/', { params: { path: { id: contract?.id as number } } })).data?.monto, '12.00')
  t.equal(await inEngine.aborted(store), 'AbortError')
  const photo = { contract: id, nombre: 'losa.jpg', tipo: 'image/jpeg' } as const
  await t.rejects(store.files.add(new Uint8Array(1), photo), { name: 'TypeError', message: /crypto\.subtle.+`sha256`/ })
  await t.rejects(store.files.add(new Blob(['x']), photo), { name: 'TypeError', message: /Uint8Array/ })
  await store.close()

  const later = await inEngine.again('http://127.0.0.1:9', expoDatabase(path), tokens())
  t.match(await later.contracts.list({ folio: 'MOVIL-1' }), [{ monto: '12.00', sync: 'synced' }], 'after a start without a connection')
  await later.close()
})

t.test('the store keeps and sends photos with the globals of React Native', async (t) => {
  const engine = phoneEngine()
  Object.assign(engine, { URL, URLSearchParams, crypto: { getRandomValues: (view: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(view) } })
  const inEngine = engine['phone'] as Phone
  const path = join(dir, 'photos.db')
  const first = await inEngine.begin(origin, expoDatabase(path), demoPassword)
  const contract = (await first.store.contracts.list())[0]?.id as number
  await first.store.close()

  const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => await crypto.subtle.digest('SHA-256', bytes)
  const open = async (url: string) => await inEngine.withPhotos(url, expoDatabase(path), first.tokens(), sha256)
  const offline = await open('http://127.0.0.1:9')
  const file = new Uint8Array(fileOf('image/jpeg', 'phone', 700_000))
  const { id } = await offline.files.add(file, { contract, nombre: 'losa.jpg', tipo: 'image/jpeg' })
  await offline.close()

  const store = await open(origin)
  await store.sync()
  t.match(store.files.progress, [{ id, state: 'done', sent: 700_000 }])
  await store.sync()
  t.match(await store.adjuntos.get(id), { sync: 'synced', estado: 'listo', sha256: sha256Of(Buffer.from(file)) })
  await store.close()
})

/** The `node` in the PATH that is no package of this project: an older one, where the system has it. */
function nodeOfSystem (): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(folder => !folder.includes('node_modules'))
  return folders.map(folder => join(folder, 'node')).find(file => existsSync(file)) ?? process.execPath
}

/** An engine that has run the bundled script of the phone. */
function phoneEngine (): Context {
  const engine = reactNative()
  runInContext(readFileSync(join(dir, 'bundled/phone.js'), 'utf8'), engine)
  return engine
}

/** The functions that the script of the phone exports. */
interface Phone {
  begin: (baseUrl: string, database: SqliteDatabase, password: string) => Promise<{ store: Store, tokens: () => Tokens }>
  again: (baseUrl: string, database: SqliteDatabase, tokens: Tokens) => Promise<Store>
  /** Aborts a synchronization. @returns the name of its error */
  aborted: (store: Store) => Promise<string>
  withPhotos: (baseUrl: string, database: SqliteDatabase, tokens: Tokens, sha256: StoreOptions['sha256']) => Promise<Store>
}
