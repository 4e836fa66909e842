import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import { loadConfig } from '../../../src/config.ts'
import { withSigningKey } from '../../../src/auth/signing-key.ts'
import { buildOn, logIn, openTestDatabase } from '../../support/helper.ts'
import { parse } from './parse.ts'

const key = /^[\w-]{64}$/

t.test('rotate-secret replaces the key in a file of variables and keeps the previous one', async (t) => {
  const first = 'the first key, which is long enough for production'
  const dir = t.testdir({ env: `# Obra\nexport NODE_ENV=production\n JWT_SECRET="${first}" # since January\nPORT=3001\nNOTE='JWT_SECRET=not this'` })
  const file = join(dir, 'env')
  chmodSync(file, 0o644)
  symlinkSync('env', join(dir, 'link'))
  const variables = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>

  const rotated = await parse(['rotate-secret', '--env-file', join(dir, 'link')])
  t.match(rotated, { error: undefined, err: '', out: `${file} has a new JWT_SECRET: restart every server; 7 days after the last restart, no token of the previous key is valid, and you can remove JWT_SECRET_PREVIOUS\n` })
  t.match(variables(), { NODE_ENV: 'production', PORT: '3001', NOTE: 'JWT_SECRET=not this', JWT_SECRET: key, JWT_SECRET_PREVIOUS: first })
  t.match(readFileSync(file, 'utf8'), /^# Obra\nexport NODE_ENV=production\n JWT_SECRET=\S{64}\n JWT_SECRET_PREVIOUS=".+" # since January\nPORT=3001\nNOTE='JWT_SECRET=not this'$/, 'other lines stay')
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.ok(lstatSync(join(dir, 'link')).isSymbolicLink())
  t.strictSame(readdirSync(dir).sort(), ['env', 'link'], 'no temporary file is left')
  const second = variables()['JWT_SECRET']
  t.notOk(rotated.out.includes(second), 'a key in use is not printed')

  const again = await parse(['rotate-secret', '--env-file', file, '--json'])
  t.strictSame(JSON.parse(again.out), { file })
  t.match(variables(), { JWT_SECRET: key, JWT_SECRET_PREVIOUS: second })
  t.not(variables()['JWT_SECRET'], second)
  t.notOk(readFileSync(file, 'utf8').includes(first))
  t.ok(loadConfig({ ...variables(), DATABASE_URL: 'embedded' }))

  const bytes = Buffer.from('# contrase\xf1a\r\nJWT_SECRET_PREVIOUS=x\r\nJWT_SECRET=y\r\nPORT=1\r\n', 'latin1')
  writeFileSync(file, bytes)
  t.match(await parse(['rotate-secret', '--env-file', file]), { error: undefined })
  t.match(readFileSync(file, 'latin1'), /^# contrase\xf1a\r\nJWT_SECRET=[\w-]{64}\r\nJWT_SECRET_PREVIOUS=y\r\nPORT=1\r\n$/, 'encoding and line endings stay')

  const before = readFileSync(file, 'utf8')
  for (const [text, message] of [['PORT=1\n', /has no JWT_SECRET$/], ['JWT_SECRET=\n', /has no JWT_SECRET$/], ['JWT_SECRET=a\nJWT_SECRET=b\n', /is not on a line of its own: nothing was changed$/]] as const) {
    writeFileSync(file, text)
    t.match(await parse(['rotate-secret', '--env-file', file]), { out: '', error: { message } })
    t.equal(readFileSync(file, 'utf8'), text)
  }
  writeFileSync(file, before)
})

t.test('without a file, rotate-secret prints a new key and not the current one', async (t) => {
  for (const env of [{ NODE_ENV: 'production' }, { JWT_SECRET: 'the key in use, which nobody may read' }] as Array<Record<string, string>>) {
    const { out, err, error } = await parse(['rotate-secret'], env)
    t.equal(error, undefined)
    t.match(out, /^JWT_SECRET=[\w-]{64}\n$/)
    t.match(err, /^set JWT_SECRET_PREVIOUS to the present JWT_SECRET, and JWT_SECRET to this key; restart every server; [^\n]+\n$/)
    t.notOk((out + err).includes('the key in use'))
  }
})

t.test('rotate-secret replaces the key in DATA_DIR; tokens stay valid after one rotation, not after two', async (t) => {
  const DATA_DIR = join(t.testdir(), 'data')
  t.match(await parse(['rotate-secret'], { DATA_DIR }), { out: '', error: { message: `${DATA_DIR} has no signing key: the first start creates one` } })

  const { database } = await openTestDatabase(t)
  const start = async () => {
    const { JWT_SECRET, JWT_SECRET_PREVIOUS } = withSigningKey(loadConfig({ DATA_DIR }))
    return await buildOn(t, { ...database, close: async () => {} }, { JWT_SECRET, JWT_SECRET_PREVIOUS })
  }
  const first = await logIn(await start(), 'director@demo.example')
  const rotated = await parse(['rotate-secret'], { DATA_DIR })
  t.match(rotated, { error: undefined, out: /signing-key has a new key: restart every server; .+, and you can remove .+signing-key\.previous\n$/ })
  for (const name of ['signing-key', 'signing-key.previous']) t.equal(statSync(join(DATA_DIR, name)).mode & 0o777, 0o600)

  const restarted = await start()
  const me = async (app: typeof restarted, { access }: { access: string }) => (await app.inject({ url: '/api/v1/me/', headers: { authorization: `Bearer ${access}` } })).statusCode
  t.equal(await me(restarted, first), 200)
  const refreshed = await restarted.inject({ method: 'POST', url: '/api/v1/api-token-refresh/', headers: { authorization: `Bearer ${first.access}` }, payload: { refresh: first.refresh } })
  t.equal(refreshed.statusCode, 200)

  t.equal((await parse(['rotate-secret'], { DATA_DIR })).error, undefined)
  const twice = await start()
  t.equal(await me(twice, first), 401, 'a token of the first key')
  t.equal(await me(twice, refreshed.json()), 200, 'a token of the second key')
})
