import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { clientTypes, syncResources } from '../../../src/cli/client-types.ts'
import { root } from '../../support/process.ts'

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
