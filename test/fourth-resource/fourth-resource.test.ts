import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { demoPlace, nodeOptions, root, withoutTap } from '../support/process.ts'
import { migration } from './migration.ts'

const page = readFileSync(join(root, 'docs/guides/add-a-resource.md'), 'utf8')
const [declaration, registration, ...routes] = [...page.matchAll(/ {3}```ts\n([\s\S]*?) {3}```/g)].map(([, code]) => code.replaceAll(/^ {3}/gm, '')) as [string, string, ...string[]]
const routeFiles = [...page.matchAll(/`(routes\/api[\w/]+\.ts)`/g)].map(([, file]) => file as string)
const commands = [...page.matchAll(/`npx obra ([\w -]+)`/g)].map(([, command]) => command.split(' '))

/** Copies the service, and follows the page in the copy. @returns what runs a file of the copy and returns its output */
async function follow (t: Test): Promise<{ dir: string, run: (...args: string[]) => Promise<string> }> {
  const { dir, dataDir, env } = await demoPlace(t)
  for (const name of ['src', 'plugins', 'routes', 'docs/examples', 'mikro-orm.config.ts', 'package.json', 'package-lock.json', 'test/fourth-resource/trial.ts']) cpSync(join(root, name), join(dir, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  const run = async (...args: string[]) => (await promisify(execFile)(...withoutTap(process.execPath, [...nodeOptions, ...args]), { cwd: dir, env: { PATH: process.env['PATH'], DATA_DIR: dataDir, ...env } })).stdout

  t.strictSame(commands, [['migrate'], ['make-migration', 'almacenes'], ['migrate']], 'the page begins with the migrations')
  const [first, ...later] = commands as [string[], ...string[][]]
  await run('src/cli/obra.ts', ...first)
  const file = join(dir, 'src/domain/almacenes/resource.ts')
  mkdirSync(dirname(file))
  writeFileSync(file, declaration)
  const [importLine = '', list = ''] = registration.trim().split('\n\n')
  const [, added = ''] = /(\w+)\]$/.exec(list) ?? []
  const resources = join(dir, 'src/domain/resources.ts')
  const text = readFileSync(resources, 'utf8')
  writeFileSync(resources, `${importLine}\n${text.replace(/(export const registered = \[[^\]]+?)\s*\]/, `$1, ${added}]`)}`)
  for (const [index, name] of routeFiles.entries()) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), routes[index] as string)
  }
  for (const command of later) await run('src/cli/obra.ts', ...command)
  return { dir, run }
}

t.test('the page adds a resource, with its declaration, one line of registration, its paths and a generated migration', async (t) => {
  const { dir, run } = await follow(t)
  const folder = 'src/database/migrations'
  const added = readdirSync(join(dir, folder)).filter(name => !readdirSync(join(root, folder)).includes(name))
  t.equal(added.length, 1)
  t.match(added[0], /^migration-\d+-almacenes\.ts$/)

  t.match(JSON.parse(await run('test/fourth-resource/trial.ts')), {
    differences: '',
    made: [201, { clave: 'NORTE-1', direccion: '', contract: 'ON-2026-001', version: 1 }],
    replayed: ['true', true],
    bulk: [201, { count: 2, results: [{ direccion: 'Av. Juárez 10', version: 2 }, { clave: 'SUR-1', version: 1 }] }],
    list: { count: 1, next: null, previous: null, results: [{ clave: 'NORTE-1' }] },
    notModified: 304,
    filtered: 1,
    wrong: [400, ['clave', 'contract', 'foo']],
    changed: 412,
    allowed: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
    strangers: [404, 404, 404, 404],
    hidden: 0,
    mutations: [201, 200],
    feed: ['almacenes NORTE-1', 'almacenes SUR-1', 'almacenes OESTE-2'],
    protected: [/ or warehouses use it \(1\)\.$/, / o haya almacenes que lo usen \(1\)\.$/],
    tag: { name: 'almacenes', description: 'Warehouses' },
    operations: ['get', 'put', 'patch', 'delete'],
    client: true,
    hook: 201,
    delivered: { type: 'almacenes.created' },
    removed: 204,
    left: 2
  })
})

t.test('the example and its migration are those of the page', async (t) => {
  const example = readFileSync(join(import.meta.dirname, 'resource.ts'), 'utf8')
  t.equal(example.replace('../../src/domain/contracts/', '../contracts/').replace('../../src/domain/define.ts', '../define.ts').replace('../../src/resources/', '../../resources/'), declaration)
  for (const call of migration.filter(statement => statement.startsWith('call '))) t.match(page, call)
})
