import { loadConfig } from '../../config.ts'
import { serviceCheck } from '../../database/orm.ts'
import type { Database } from '../../database/database.ts'
import { buildServer } from '../fastify.ts'
import type { OpenApiDocument } from './document.ts'

/** Routes are registered, and described, without a question to the database. */
const nowhere = { kind: 'embedded', orm: {}, sql: {}, check: serviceCheck(), close: async () => {} } as unknown as Database

/** The OpenAPI document of the service as it is, made without a database, a port or a file. */
export async function describeService (): Promise<OpenApiDocument> {
  // The key signs nothing: no request reaches a handler.
  const config = { ...loadConfig({ LOG_LEVEL: 'silent' }), JWT_SECRET: 'none' }
  const app = await buildServer({ config, database: nowhere })
  try {
    return await app.openapi()
  } finally {
    await app.close()
  }
}
