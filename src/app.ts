import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from './database/database.ts'
import type { SigningConfig } from './auth/signing-key.ts'

/** Options of the application: its configuration with a signing key, and its open database. */
export interface AppOptions {
  config: SigningConfig
  database: Database
}

/** The application as a plugin: the capabilities in `plugins/`, then the API in `routes/`, whose folders are URL paths. */
export default fp(async function obra (app: FastifyInstance, options: AppOptions) {
  await app.register(autoload, { dir: join(import.meta.dirname, '../plugins'), options, encapsulate: false })
  await app.register(autoload, {
    dir: join(import.meta.dirname, '../routes'),
    routeParams: true,
    autoHooks: true,
    cascadeHooks: true,
    ignoreFilter: path => hidden(options.config).some(name => path.startsWith(`/${name}/`))
  })
}, { name: 'obra' })

/** Folders of `routes/` that this configuration disables. */
function hidden ({ DOCS, NODE_ENV }: SigningConfig): string[] {
  return [...DOCS === 'off' ? ['docs', 'openapi.json'] : [], ...NODE_ENV === 'production' ? ['example'] : []]
}
