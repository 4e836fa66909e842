import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { clientTypes } from '../../../src/cli/client-types.ts'
import { root, run } from '../../support/process.ts'
import { listen } from './server.ts'

t.test('the committed types match the current document', async (t) => {
  t.ok(await readFile(join(root, 'src/client/api.d.ts'), 'utf8') === await clientTypes(), 'run npm run client:types')
})

t.test('its package requires the tested versions and has no command', async (t) => {
  const [service, client] = await Promise.all(['package.json', 'src/client/package.json'].map(async file => JSON.parse(await readFile(join(root, file), 'utf8'))))
  t.equal(client.version, service.version)
  for (const [name, version] of Object.entries(client.dependencies)) t.equal(service.dependencies[name], version, name)
  t.equal(client.bin, undefined)
})

t.test('the npm package installs by `npm install ../obra/src/client` and works as in docs/reference/client.md, in TypeScript and Node', async (t) => {
  const { origin } = await listen(t)
  const dir = t.testdir({ node_modules: { obra: {} } })
  const packed = await run(t, 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', dir, join(root, 'src/client')])
  t.equal(packed.code, 0, packed.stderr)
  await run(t, 'tar', ['-xzf', join(dir, packed.stdout.trim()), '--strip-components=1', '-C', join(dir, 'node_modules/obra')])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name))

  const guide = await readFile(join(root, 'docs/reference/client.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```ts\n(.*?)^```/gms)].map(([, block]) => block)
  t.equal(blocks.length, 5)
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
  await writeFile(join(dir, 'guide.ts'), blocks.join('\n').replaceAll('https://api.example.mx', origin))

  const compiler = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '--lib', 'es2022,dom,dom.iterable', '--noEmitOnError', '--skipDefaultLibCheck', 'guide.ts']
  const compiled = await run(t, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...compiler], {}, { dir })
  t.strictSame([compiled.stdout, compiled.code], ['', 0])

  const { stdout, stderr } = await run(t, process.execPath, ['guide.js'], {}, { dir })
  t.equal(stderr, '')
  const [contract, invalid, ...rest] = stdout.trim().split('\n')
  t.match(contract, /^ON-2026-001 48500000\.00 "/)
  t.match(invalid, /^400 invalid \{/)
  t.match(stdout, /folio: \[ '.+' \]/)
  t.strictSame(rest.slice(-2), ['200', '1'])
  t.match(rest.at(-3), /^\d+(\.\d+)?$/)
})
