import { Migration } from '@mikro-orm/migrations'

const admitted = "company_id is null or company_id = any (nullif(current_setting('app.companies', true), '')::int[])"

/** Stored answers of requests with an Idempotency-Key. */
export class Migration8Idempotency extends Migration {
  override up (): void {
    // The company is the last column of the key: it is null for accounts, which needs another condition.
    this.addSql(`
      create table idempotency_keys (
        id bigserial primary key,
        user_id int not null references users (id) on delete cascade,
        company_id int null references companies (id) on delete cascade,
        route varchar(200) not null,
        key varchar(255) not null,
        digest bytea not null,
        status smallint not null,
        headers jsonb not null,
        body text not null,
        created_at timestamptz(6) not null default clock_timestamp(),
        constraint idempotency_keys_unique unique nulls not distinct (user_id, key, route, company_id))`)
    this.addSql('create index idempotency_keys_created_at_index on idempotency_keys (company_id, created_at)')
    this.addSql('alter table idempotency_keys enable row level security')
    this.addSql('alter table idempotency_keys force row level security')
    this.addSql(`create policy company_admitted on idempotency_keys using (${admitted}) with check (${admitted})`)
    this.addSql('grant select, insert, delete on idempotency_keys to obra_app')
    this.addSql('grant usage, select on sequence idempotency_keys_id_seq to obra_app')
  }
}
