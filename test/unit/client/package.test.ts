import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { clientTypes, syncResources } from '../../../src/cli/client-types.ts'
import { root } from '../../support/process.ts'

t.test('the generated files match the current declarations', async (t) => {
  t.ok(await readFile(join(root, 'src/client/api.d.ts'), 'utf8') === await clientTypes(), 'run npm run client:types')
  t.equal(await readFile(join(root, 'src/client/sync/resources.ts'), 'utf8'), syncResources(), 'run npm run client:types')
})

t.test('its package requires the tested versions and has no command', async (t) => {
  const [service, client] = await Promise.all(['package.json', 'src/client/package.json'].map(async file => JSON.parse(await readFile(join(root, file), 'utf8'))))
  for (const [name, version] of Object.entries(client.dependencies)) t.equal(service.dependencies[name], version, name)
  t.equal(client.bin, undefined)
})

t.test('all files name the same version', async (t) => {
  const read = async (file: string) => await readFile(join(root, file), 'utf8')
  const [{ version }, client, lockfile] = await Promise.all(['package.json', 'src/client/package.json', 'package-lock.json'].map(async file => JSON.parse(await read(file))))
  t.strictSame([client.version, lockfile.version, lockfile.packages[''].version], [version, version, version])
  const [, unreleased = '', released = ''] = /^## \[Unreleased\]\n([\s\S]*?)^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/m.exec(await read('CHANGELOG.md')) ?? []
  const [next, ...suffix] = version.split('-')
  if (unreleased.includes('- ')) {
    t.strictSame(suffix, ['dev'], 'with changes since the last release, the version is the next one')
    t.equal(released.localeCompare(next, 'en', { numeric: true }), -1, `${next} comes after ${released}`)
  } else t.equal(version, released, 'without changes, it is the last one')
  const pages = {
    'src/client/README.md': 2,
    'docs/reference/client.md': 2,
    'docs/guides/build-an-offline-app.md': 2
  }
  for (const [page, times] of Object.entries(pages)) {
    const [text] = (await read(page)).split('\n## Upgrade')
    const named = text.match(/(?<=obra-client-)\d+\.\d+\.[^\s`]+?(?=\.tgz|[\s`])/g)
    t.strictSame(named, Array(times).fill(version), page)
  }
})
