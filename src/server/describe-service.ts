import { loadConfig } from '../config.ts'
import { serviceCheck } from '../database/connection/orm.ts'
import type { Database } from '../database/database.ts'
import { Replicas } from '../database/replicas/replicas.ts'
import type { Sql } from '../database/connection/sql.ts'
import { buildServer } from './fastify.ts'
import type { OpenApiDocument } from '../openapi/document.ts'

const sql = {} as Sql // nothing runs a statement

/** Stands for the database, which the registration of routes does not use. */
const parts = {
  kind: 'embedded',
  orm: {},
  sql,
  replicas: new Replicas([], sql),
  check: serviceCheck(),
  close: async () => {}
}
const nowhere = parts as typeof parts & Database // nothing uses the rest

/** Makes the OpenAPI document of the service without a database, port or file. @param url its scheme and host, for `servers` */
export async function describeService (url?: string): Promise<OpenApiDocument> {
  // No request reaches a handler, so the key signs nothing.
  const config = { ...loadConfig({ LOG_LEVEL: 'silent', ...url === undefined ? {} : { PUBLIC_URL: url } }), JWT_SECRET: 'none' }
  const app = await buildServer({ config, database: nowhere })
  try {
    return await app.openapi()
  } finally {
    await app.close()
  }
}
