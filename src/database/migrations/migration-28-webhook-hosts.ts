import { Migration } from '@mikro-orm/migrations'

/** SQL of the host and port of a URL. */
const hostOf = (url: string) => `lower(substring(${url} from '^[A-Za-z]+://([^/?#]*)'))`

/** Receiving hosts of webhooks, records of deliveries, and webhooks of companies that change their customer. */
export class Migration28WebhookHosts extends Migration {
  override up (): void {
    this.addSql('alter table "webhook_cursors" add "host" text null')
    this.addSql('alter table "webhook_deliveries" add "records" jsonb null')
    this.addSql(`
      do $$
      begin
        -- The policies bind the owner too.
        perform set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
        update webhook_cursors c set host = ${hostOf('w.url')} from webhooks w where w.company_id = c.company_id and w.id = c.webhook_id;
        perform set_config('app.companies', '', true);
      end $$`)

    this.addSql(`
      create function keep_webhook_host() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
      begin
        update webhook_cursors set host = ${hostOf('new.url')} where webhook_id = new.id;
        return null;
      end $$`)
    // Triggers run in the order of their names: after add_webhook_cursor.
    this.addSql('create trigger keep_webhook_host after insert or update of url on webhooks for each row execute function keep_webhook_host()')

    // The answer to a delivery counts although the webhook was switched off meanwhile: only another address begins again.
    this.addSql(`
      create or replace function retry_webhook() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
      begin
        update webhook_cursors
        set activo = new.activo, epoch = epoch + (old.url <> new.url)::int, failures = 0, failing_since = null, next_attempt_at = null, skip_to = null
        where webhook_id = new.id;
        return null;
      end $$`)

    this.addSql(`
      create function switch_off_webhooks() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      declare
        admitted constant text := coalesce(current_setting('app.companies', true), '');
      begin
        perform lock_companies(array[new.id]);
        perform set_config('app.companies', '{' || new.id || '}', true);
        update webhooks set activo = false, motivo_inactivo = 'The company has moved to another customer.' where company_id = new.id and activo;
        perform set_config('app.companies', admitted, true);
        return null;
      end $$`)
    this.addSql('create trigger switch_off_webhooks after update of customer_id on companies for each row when (old.customer_id <> new.customer_id) execute function switch_off_webhooks()')
  }
}
