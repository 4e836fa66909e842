import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Database } from './database/database.ts'
import type { SigningConfig } from './auth/signing-key.ts'

/** What the application is built from: its configuration, with a signing key, and its database, open. */
export interface AppOptions {
  config: SigningConfig
  database: Database
}

/** The application, as a plugin: capabilities from `plugins/`, then the API from `routes/`, whose folders are its paths. */
export default fp(async function obra (app: FastifyInstance, options: AppOptions) {
  await app.register(autoload, { dir: join(import.meta.dirname, '../plugins'), options, encapsulate: false })
  await app.register(autoload, {
    dir: join(import.meta.dirname, '../routes'),
    routeParams: true,
    autoHooks: true,
    cascadeHooks: true,
    ignoreFilter: options.config.DOCS === 'off' ? /^\/(docs|openapi\.json)\// : undefined
  })
}, { name: 'obra' })
