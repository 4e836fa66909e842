import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { demoPassword, demoUsers } from '../../../src/domain/demo/data.ts'
import { call, tokensOf } from '../../support/over-http.ts'
import { emptyPlace, refusedStart, run, startServer } from '../../support/process.ts'
import { server } from '../../support/template.ts'

t.test('`npm ci && npm start` needs no configuration, prints how to log in, and keeps its key and data across restarts', async (t) => {
  const place = await emptyPlace(t)
  const keyFile = join(place.dataDir, 'signing-key')
  const first = await startServer(t, place)

  const welcome = first.output()
  t.match(first.origin, /^http:\/\/127\.0\.0\.1:\d+$/)
  for (const { email } of demoUsers) t.match(welcome, email)
  t.match(welcome, demoPassword)
  t.equal(welcome.startsWith('Creating an embedded PostgreSQL in ./data and loading demo data. This takes up to a minute, only once\n'), server === undefined)
  t.match(welcome, server === undefined ? 'embedded PostgreSQL in ./data' : 'PostgreSQL (DATABASE_URL)')

  const key = readFileSync(keyFile, 'utf8')
  t.ok(Buffer.byteLength(key) >= 32)
  t.equal(statSync(keyFile).mode & 0o777, 0o600)

  const line = /^ {2}(curl .*)$/m.exec(welcome)?.[1] as string
  const shown = await run(t, 'sh', ['-c', line])
  t.match(JSON.parse(shown.stdout), { count: 60, previous: null, results: { length: 20 } })

  const { access, refresh } = await tokensOf(first.origin, 'director@demo.example', demoPassword)
  const created = await call(first.origin, 'POST', 'contracts/', { token: access, body: { folio: 'KEPT-1' } })
  t.equal(created.status, 201)

  if (server === undefined) {
    const second = await refusedStart(t, place, { PORT: '0' })
    t.not(second.code, 0)
    t.match(second.stderr, /^obra: the embedded database in \.\/data is open in another process: [^\n]+\n$/)
    t.equal(second.stdout, '')
  } else {
    const second = await startServer(t, place)
    t.equal((await call(second.origin, 'GET', 'contracts/', { token: access })).body.count, 61)
    t.equal((await second.end()).code, 0)
  }
  t.equal((await call(first.origin, 'GET', 'me/', { token: access })).status, 200, 'the first server still works')
  t.equal((await first.end()).code, 0)

  const again = await startServer(t, place, { LOG_LEVEL: 'silent' })
  t.equal(readFileSync(keyFile, 'utf8'), key)
  const list = await call(again.origin, 'GET', 'contracts/?folio=KEPT-1', { token: access })
  t.match(list, { status: 200, body: { count: 1, results: [{ id: created.body.id }] } })
  t.equal((await call(again.origin, 'GET', 'contracts/', { token: access })).body.count, 61, 'the demo data is not loaded twice')
  t.equal((await call(again.origin, 'POST', 'api-token-refresh/', { token: access, body: { refresh } })).status, 200)
  const { code, stdout, stderr } = await again.end()
  t.equal(code, 0)
  t.notMatch(stdout, '"level"', 'LOG_LEVEL=silent logs nothing')
  t.equal(stderr, '')
})
