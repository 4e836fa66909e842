import closeWithGrace from 'close-with-grace'
import { loadConfig } from './config.ts'
import { openDatabase } from './database/database.ts'
import { hasDemo, loadDemo } from './demo/load.ts'
import { buildServer } from './fastify.ts'
import { withSigningKey } from './signing-key.ts'
import { welcome } from './welcome.ts'

const drainTime = 10_000

/** The process: configuration, database, application, listening, graceful end. */
async function start (): Promise<void> {
  const config = withSigningKey(loadConfig())
  const production = config.NODE_ENV === 'production'
  const database = await openDatabase(config, production ? 'refuse' : 'migrate')
  try {
    if (!production) await loadDemo(database.orm)
    const app = await buildServer({ config, database })
    closeWithGrace({ delay: drainTime, logger: app.log }, async ({ err }) => {
      if (err !== undefined) app.log.fatal({ err }, 'ending after an error')
      await app.close()
    })
    await app.listen({ host: config.HOST, port: config.PORT })
    const { port } = app.server.address() as { port: number }
    if (!production) process.stdout.write(welcome(config, database.kind, port, await hasDemo(database.sql)))
  } catch (error) {
    await database.close()
    throw error
  }
}

try {
  await start()
} catch (error) {
  process.stderr.write(`obra: ${explain(error as Error & { code?: string, port?: number })}\n`)
  process.exit(1)
}

/** The one line that says what keeps the server from starting. */
function explain (error: Error & { code?: string, port?: number }): string {
  if (error.code === 'EADDRINUSE') return `port ${error.port} is in use: end the other process or choose another PORT`
  return error.message.split('\n', 1)[0] as string
}
