import { Migration } from '@mikro-orm/migrations'

/** Estimates are found by invoice. Names of counterparties have up to 250 characters, telephone numbers 100. */
export class Migration26Invoices extends Migration {
  override up (): void {
    this.addSql('create index estimates_factura_uuid_index on estimates (company_id, factura_uuid) where factura_uuid is not null')

    // PostgreSQL does not change the type of a column that generated columns use, so these are computed again.
    this.addSql(`
      alter table contrapartes
        drop column busqueda, drop column nombre_busqueda, drop column nombre_orden,
        alter column nombre type varchar(250), alter column telefono type varchar(100),
        add column busqueda text generated always as (search_text(nombre || ' ' || coalesce(rfc, '') || ' ' || email || ' ' || telefono || ' ' || direccion || ' ' || notas)) stored not null,
        add column nombre_busqueda text generated always as (search_text(nombre)) stored not null,
        add column nombre_orden text collate "C" generated always as (sort_text(nombre)) stored not null`)
    this.addSql('create index contrapartes_nombre_orden_index on contrapartes (company_id, nombre_orden, id)')
    // The right was lost with the column. The texts are the same, so the search index stays valid.
    this.addSql('grant select (busqueda) on contrapartes to obra_search')
    // New columns have no statistics.
    this.addSql('analyze contrapartes')
  }
}
