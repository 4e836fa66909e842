import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Migration } from '@mikro-orm/migrations'
import { olderMessage } from './older.ts'

/** Files of `baseline/` in the order of their dependencies. */
const parts = [
  'roles', 'functions', 'accounts', 'business', 'service', 'walls',
  'revisions', 'purge', 'account-triggers', 'contract-rules', 'webhook-triggers',
  'search', 'search-batches', 'search-candidates', 'rights'
]

/** The baseline: the schema that migrations 1 to 25 made together. */
export class Migration25Webhooks extends Migration {
  override async up (): Promise<void> {
    const rows = await this.execute('select name from mikro_orm_migrations order by id') as Array<{ name: string }>
    const message = olderMessage('the database', rows.map(({ name }) => name))
    if (message !== undefined) throw new Error(message)
    for (const part of parts) this.addSql(statementsOf(part))
  }
}

/** Functions are stored with their indentation. It is that of databases that migrations 1 to 25 made. */
function statementsOf (part: string): string {
  return readFileSync(join(import.meta.dirname, 'baseline', `${part}.sql`), 'utf8').replaceAll(/^(?=.)/gm, '      ')
}
