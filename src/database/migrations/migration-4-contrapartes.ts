import { Migration } from '@mikro-orm/migrations'

/** Counterparties with all their fields. */
export class Migration4Contrapartes extends Migration {
  override up (): void {
    // Check digit of a Mexican tax id by the SAT's algorithm: 13 characters (a company's id is padded in front), the value of each character
    // times 13 … 2, modulo 11. For a text that is no tax id, the result has no meaning.
    this.addSql(`
      create function rfc_check_digit(rfc text) returns text
      language sql immutable parallel safe strict
      return (
        select case digit when 11 then '0' when 10 then 'A' else digit::text end
        from (
          select 11 - sum((strpos('0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ', substr(lpad(rfc, 13, ' '), place, 1)) - 1) * (14 - place))::int % 11 as digit
          from generate_series(1, 12) place) computed)`)
    this.addSql(`
      alter table contrapartes
        add column rfc varchar(13) null,
        add column rfc_warning boolean generated always as (coalesce(rfc not in ('XAXX010101000', 'XEXX010101000') and right(rfc, 1) <> rfc_check_digit(rfc), false)) stored not null,
        add column tipo varchar(16) not null default 'otro',
        add column email varchar(254) not null default '',
        add column telefono varchar(40) not null default '',
        add column direccion varchar(500) not null default '',
        add column notas varchar(2000) not null default '',
        add column activo boolean not null default true,
        add constraint contrapartes_tipo_check check (tipo in ('cliente', 'proveedor', 'subcontratista', 'otro'))`)
  }
}
