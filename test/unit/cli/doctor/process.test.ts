import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../../../src/config.ts'
import { examineConfig, examineFolder, judgeKey, judgeSpace } from '../../../../src/cli/doctor/process.ts'

const key = 'Zr8hQ0yNf1bKx3LmVt6wPcE9sJdG2uAo5iTq'

t.test('every fault of the configuration is listed, and a configuration that can be used is returned', async (t) => {
  t.strictSame(examineConfig({ PORT: '80', JWT_SECRET: key }).findings, [{ check: 'configuration', outcome: 'ok', message: 'set: PORT, JWT_SECRET' }])
  t.strictSame(examineConfig({}).findings, [{ check: 'configuration', outcome: 'ok', message: 'all variables have their defaults' }])
  const { config, findings } = examineConfig({ NODE_ENV: 'production', WORKERS: '2', DATABASE_URL: 'embedded' })
  t.equal(config?.WORKERS, 2)
  t.strictSame(findings.map(({ outcome }) => outcome), ['failed', 'failed'])
  t.match(findings.map(({ message }) => message).join(), /JWT_SECRET is required in production,WORKERS above 1 requires DATABASE_URL/)
  const none = examineConfig({ PORT: 'http', LOG_LEVEL: 'loud' })
  t.equal(none.config, undefined)
  t.strictSame(none.findings.map(({ message }) => message.split(' ')[0]).sort(), ['LOG_LEVEL', 'PORT'])
})

t.test('a short, repetitive or unchanged key is reported', async (t) => {
  const judged = (NODE_ENV: 'development' | 'production', JWT_SECRET?: string, JWT_SECRET_PREVIOUS?: string) => judgeKey({ NODE_ENV, JWT_SECRET, JWT_SECRET_PREVIOUS }).outcome
  t.equal(judged('production', key), 'ok')
  t.equal(judged('production', key, `${key}2`), 'ok')
  t.equal(judged('production', key, key), 'warning')
  t.equal(judged('production', 'x'.repeat(64)), 'failed')
  t.equal(judged('development', 'x'.repeat(64)), 'warning')
  t.equal(judged('development', key.slice(0, 31)), 'warning')
  t.equal(judged('production', key.slice(0, 31)), 'failed')
  t.equal(judged('development'), 'ok')
  t.notMatch(judgeKey({ NODE_ENV: 'production', JWT_SECRET: 'secreto' }).message, /secreto/)
})

t.test('free space is judged by its size', async (t) => {
  t.strictSame([50, 500, 5000].map(megabytes => judgeSpace(megabytes * 2 ** 20).outcome), ['failed', 'warning', 'ok'])
})

t.test('a data folder or key that other users can access is reported', async (t) => {
  const DATA_DIR = join(t.testdir({}), 'data')
  const look = () => examineFolder(loadConfig({ DATA_DIR })).filter(({ check }) => check === 'data folder')
  t.match(look(), [{ outcome: 'ok', message: /the first start creates/ }])
  mkdirSync(DATA_DIR, { mode: 0o700 })
  writeFileSync(join(DATA_DIR, 'signing-key'), key, { mode: 0o600 })
  t.match(look(), [{ outcome: 'ok', message: /only this user can access/ }])
  chmodSync(join(DATA_DIR, 'signing-key'), 0o640)
  chmodSync(DATA_DIR, 0o755)
  t.match(look(), [{ outcome: 'failed', message: `chmod 600 ${join(DATA_DIR, 'signing-key')}` }, { outcome: 'warning', message: `chmod 700 ${DATA_DIR}` }])
})
