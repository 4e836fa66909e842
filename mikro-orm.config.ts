import { PostgreSqlDriver } from '@mikro-orm/postgresql'
import type { ClientBase } from 'pg'
import { startAsOwner } from './src/database/connection/session-settings.ts'
import { schemaGenerator } from './src/database/schema/beyond.ts'
import { TenantSchemaGenerator } from './src/database/schema/schema-generator.ts'
import { migrations } from './src/database/migrations/index.ts'
import { Migrator } from './src/database/migrations/migrator.ts'
import { entities } from './src/domain/entities/index.ts'

/** MikroORM configuration of the server and of MikroORM's command line. */
export default {
  driver: PostgreSqlDriver,
  clientUrl: process.env['DATABASE_URL'],
  // For MikroORM's command line. Obra's own connections have other options.
  driverOptions: { onConnect: async (client: ClientBase) => await client.query(startAsOwner) },
  // A mistyped database name is an error. It must not create a database.
  ensureDatabase: false,
  entities,
  extensions: [Migrator, TenantSchemaGenerator],
  schemaGenerator,
  migrations: {
    migrationsList: migrations,
    path: 'src/database/migrations',
    snapshot: false,
    silent: true
  },
  logger: () => {}
}
