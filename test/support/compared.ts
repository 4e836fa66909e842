import { MikroORM, type Options } from '@mikro-orm/postgresql'
import type { Test } from 'tap'
import config from '../../mikro-orm.config.ts'
import { embeddedCheck, embeddedOptions, type Orm } from '../../src/database/connection/orm.ts'
import { databaseUrl, dropCopy, lendEmbedded, server, serverCopy } from './template.ts'

/** A migrated database, opened with the configuration of MikroORM's command line. */
export interface Compared {
  /** Connected as the owner of the tables. */
  orm: Orm
  /** The statements with which MikroORM would make the database match the entities. */
  differences: () => Promise<string[]>
  /** The same for other entities. */
  differencesWith: (entities: readonly unknown[]) => Promise<string[]>
}

/** Opens a fresh database with the default export of `mikro-orm.config.ts`, closed and dropped when the test ends. */
export async function openCompared (t: Test): Promise<Compared> {
  const open = server === undefined ? await embeddedOpener(t) : await serverOpener(t)
  const orm = await open(config.entities)
  t.teardown(async () => { await orm.close(true) })
  return {
    orm,
    differences: async () => await differencesOf(orm),
    async differencesWith (entities) {
      const other = await open(entities)
      try {
        return await differencesOf(other)
      } finally {
        await other.close(true)
      }
    }
  }
}

type Opener = (entities: readonly unknown[]) => Promise<Orm>

async function embeddedOpener (t: Test): Promise<Opener> {
  const pglite = await lendEmbedded(t, 'demo')
  const { clientUrl, ...common } = config
  return async entities => await MikroORM.init({ ...common, entities, ...embeddedOptions(pglite, 'owner', embeddedCheck()) } as unknown as Options)
}

async function serverOpener (t: Test): Promise<Opener> {
  const copy = await serverCopy()
  t.teardown(async () => { await dropCopy(copy) })
  return async entities => await MikroORM.init({ ...config, entities, clientUrl: databaseUrl(copy) } as unknown as Options)
}

async function differencesOf (orm: Orm): Promise<string[]> {
  return (await orm.schema.getUpdateSchemaSQL({ wrap: false })).split(/;\n+/).filter(Boolean)
}
