import type { EntityProperty, MikroORM, UpdateSchemaOptions } from '@mikro-orm/core'
import { DatabaseSchema, SchemaGenerator, type SqlTriggerDef } from '@mikro-orm/postgresql'

type Options = UpdateSchemaOptions<DatabaseSchema>

/**
 * MikroORM's schema comparison, with complete triggers and with foreign keys that contain the company. MikroORM does not read the function
 * and columns of a trigger, nor `truncate` triggers. It declares a foreign key of two columns only to a primary key of two columns.
 */
export class TenantSchemaGenerator extends SchemaGenerator {
  static override register (orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/schema-generator', () => new TenantSchemaGenerator(orm.em as never)) // the ORM is PostgreSQL's
  }

  /** The schema that the entities describe. */
  override getTargetSchema (schema?: string, includeWildcardSchema = false): DatabaseSchema {
    const target = super.getTargetSchema(schema, includeWildcardSchema)
    for (const { tableName, props } of this.getOrderedMetadata(schema, includeWildcardSchema)) {
      const foreignKeys = target.getTable(tableName)?.getForeignKeys() ?? {}
      const references: ReferenceProperty[] = props.filter(isWithinCompany)
      for (const { name, fieldNames, referencedTableName, deleteRule, sharedColumns = [] } of references) {
        const constraintName = `${tableName}_${name}_foreign`
        foreignKeys[constraintName] = {
          constraintName,
          columnNames: ['company_id', ...sharedColumns, ...fieldNames],
          localTableName: `public.${tableName}`,
          referencedColumnNames: ['company_id', ...sharedColumns, 'id'],
          referencedTableName: `public.${referencedTableName}`,
          // MikroORM's own rule of nullable references sets all columns to null, also the company.
          ...deleteRule === undefined || deleteRule === 'set null' ? {} : { deleteRule }
        }
      }
    }
    return target
  }

  override async getUpdateSchemaSQL (options: Options = {}): Promise<string> {
    return await super.getUpdateSchemaSQL({ ...options, fromSchema: options.fromSchema ?? await this.#readSchema(options) })
  }

  override async getUpdateSchemaMigrationSQL (options: Options = {}): Promise<{ up: string, down: string }> {
    return await super.getUpdateSchemaMigrationSQL({ ...options, fromSchema: options.fromSchema ?? await this.#readSchema(options) })
  }

  /** Reads the schema of the database, with each trigger as a complete statement. */
  async #readSchema ({ schema }: Options): Promise<DatabaseSchema> {
    await this.ensureDatabase()
    const namespaces = [...this.getTargetSchema(schema).getNamespaces()]
    const { connection, platform, config, options: { skipTables } } = this
    const read = await DatabaseSchema.create(connection, platform, config, schema, namespaces, undefined, skipTables)
    const triggers = await this.connection.execute<Array<{ table: string, name: string, expression: string }>>(`
      select c.relname::text as table, t.tgname::text as name, pg_get_triggerdef(t.oid, true) as expression
      from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`)
    for (const table of read.getTables()) {
      const own = triggers.filter(trigger => trigger.table === table.name)
      table.setTriggers(own.map(({ name, expression }) => ({ name, expression, body: '' }) as SqlTriggerDef)) // the rest is not compared
    }
    return read
  }
}

/** A reference. `sharedColumns` are columns that the referred record has too, with the same values. The foreign key contains them. */
type ReferenceProperty = EntityProperty & { sharedColumns?: string[] }

/** Whether a reference stays within a company. Its foreign key then contains the company. */
function isWithinCompany ({ createForeignKeyConstraint, targetMeta }: EntityProperty): boolean {
  return createForeignKeyConstraint === false && targetMeta?.properties['company'] !== undefined
}
