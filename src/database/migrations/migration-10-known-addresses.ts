import { Migration } from '@mikro-orm/migrations'

/** Addresses of recent log-ins. */
export class Migration10KnownAddresses extends Migration {
  override up (): void {
    this.addSql(`
      create table known_addresses (
        user_id int not null references users (id) on delete cascade,
        address varchar(43) not null,
        logged_in_on date not null default current_date,
        primary key (user_id, address))`)
    this.addSql('create index known_addresses_logged_in_on_index on known_addresses (logged_in_on)')
    this.addSql('grant select, insert, update, delete on known_addresses to obra_app')
  }
}
