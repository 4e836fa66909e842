import { app } from './app.ts'
import { database } from './database.ts'

await database.initialize()
const server = app.listen(Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? '127.0.0.1')

process.once('SIGTERM', () => {
  server.close(() => database.destroy())
  server.closeIdleConnections()
})
