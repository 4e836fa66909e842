import type { MikroORM } from '@mikro-orm/core'
import { Migrator as MikroMigrator } from '@mikro-orm/migrations'
import { declaredBy } from '../schema/declared.ts'
import type { Execute } from '../schema/load-routines.ts'
import { load, unchanged, type Loaded } from '../schema/load.ts'
import { migrations, unknownIn } from './index.ts'
import { routinesOf } from './sql.ts'

type Options = Exclude<Parameters<MikroMigrator['up']>[0], string | string[] | undefined>
type Result = Awaited<ReturnType<MikroMigrator['up']>>

/** Procedures that drafts of migrations call. */
const called = ['drop_search_of', 'keep_search_of']

/**
 * Loads the procedures that migrations call, runs migrations, and after the last one loads the functions of files, and the functions and
 * triggers of the entities, in the same transaction. With this name, MikroORM does not register its own migrator.
 */
export class Migrator extends MikroMigrator {
  /** What the last call of `up` has loaded. */
  loaded: Loaded = unchanged

  static override register (orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as never)) // the ORM is PostgreSQL's
  }

  override async up (options: Options = {}): Promise<Result> {
    // It uses a connection of its own, and a pool can have only one.
    await this.init()
    const connection = this.driver.getConnection()
    if (options.transaction === undefined) {
      return await connection.transactional(async transaction => await this.up({ ...options, transaction }))
    }
    const execute: Execute = async <R extends object>(sql: string) => await connection.execute<R[]>(sql, [], 'all', options.transaction)
    const names = async () => (await execute<{ name: string }>('select name from mikro_orm_migrations')).map(({ name }) => name)
    const isRun = (run: string[]) => migrations.every(({ name }) => run.includes(name))
    if (!isRun(await names())) await execute(routinesOf(...called))
    const done = await super.up(options)
    const run = await names()
    const isComplete = isRun(run) && unknownIn(run).length === 0
    this.loaded = isComplete ? await load(execute, declaredBy(this.em.getMetadata().getAll().values())) : unchanged
    return done
  }
}
