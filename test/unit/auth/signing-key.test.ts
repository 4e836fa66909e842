import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { withSigningKey } from '../../../src/auth/signing-key.ts'
import { run } from '../../support/process.ts'

function newFolder (t: { teardown: (end: () => void) => void }): string {
  const dir = mkdtempSync(join(tmpdir(), 'obra-test-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  return join(dir, 'made', 'data')
}

t.test('a configured key is used, and no key file is created', async (t) => {
  const DATA_DIR = newFolder(t)
  t.equal(withSigningKey(loadConfig({ DATA_DIR, JWT_SECRET: 'given' })).JWT_SECRET, 'given')
  t.throws(() => statSync(DATA_DIR), { code: 'ENOENT' })
})

t.test('a generated key is random, stored, and readable by its owner only', async (t) => {
  const config = loadConfig({ DATA_DIR: newFolder(t) })
  const { JWT_SECRET: key, ...rest } = withSigningKey(config)
  const { JWT_SECRET: none, ...given } = config
  t.strictSame(rest, given)
  t.ok(Buffer.byteLength(key) >= 32)
  t.strictSame(readdirSync(config.DATA_DIR), ['signing-key'])
  const file = join(config.DATA_DIR, 'signing-key')
  t.equal(readFileSync(file, 'utf8'), key)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(config.DATA_DIR).mode & 0o777, 0o700)
  t.equal(withSigningKey(config).JWT_SECRET, key)
  t.not(withSigningKey(loadConfig({ DATA_DIR: newFolder(t) })).JWT_SECRET, key)
})

t.test('processes that start together share one key', async (t) => {
  const DATA_DIR = newFolder(t)
  const program = "const { withSigningKey } = await import('./src/auth/signing-key.ts'); process.stdout.write(withSigningKey({ DATA_DIR: process.env.DATA_DIR }).JWT_SECRET)"
  const processes = Array.from({ length: 4 }, async () => await run(t, process.execPath, ['--input-type=module', '--eval', program], { DATA_DIR }))
  const keys = new Set((await Promise.all(processes)).map(({ code, stdout }) => `${code} ${stdout}`))
  t.strictSame([...keys], [`0 ${readFileSync(join(DATA_DIR, 'signing-key'), 'utf8')}`])
})

t.test('a file without a valid key is refused', async (t) => {
  const config = loadConfig({ DATA_DIR: newFolder(t) })
  withSigningKey(config)
  writeFileSync(join(config.DATA_DIR, 'signing-key'), '')
  t.throws(() => withSigningKey(config), { message: /signing-key is shorter than 32 bytes and no signing key. Remove it/ })
})
