import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { buildOn, openTestDatabase } from '../../support/helper.ts'

t.test('a server with a pool too small for isolation between companies warns when it listens', async (t) => {
  const { database } = await openTestDatabase(t)
  const shared = { ...database, close: async () => {} }
  for (const [connections, warnings] of [[6, database.kind === 'postgres' ? 1 : 0], [7, 0]] as const) {
    const app = await buildOn(t, shared, { DATABASE_POOL: connections })
    const lines: string[] = []
    app.log.warn = (line: unknown) => { lines.push(String(line)) }
    await app.listen({ host: '127.0.0.1', port: 0 })
    await sleep(20)
    t.equal(lines.filter(line => line.startsWith('DATABASE_POOL is below 7')).length, warnings)
    await app.close()
  }
})
