import { Migration } from '@mikro-orm/migrations'

/** Members belong to the company's customer, idempotency keys have a reach, and the purge gets its indexes and a function. */
export class Migration14Purging extends Migration {
  override up (): void {
    this.members()
    this.reaches()
    this.expired()
    this.changes()
  }

  /**
   * A member belongs to the company's customer or to none. Each trigger locks the rows that the other one reads, so that concurrent
   * transactions cannot break the rule. Existing violations stay, and `obra doctor` lists them.
   */
  private members (): void {
    this.addSql(`
      create function refuse_foreign_member() returns trigger
      language plpgsql set search_path = pg_catalog, public, pg_temp as $$
      declare
        customer_of_user int;
        customer_of_company int;
        member record;
      begin
        for member in
          select m.user_id, m.company_id from memberships m
          where case tg_table_name when 'memberships' then m.id when 'users' then m.user_id else m.company_id end = new.id
          order by m.company_id, m.user_id
        loop
          select customer_id into customer_of_user from users where id = member.user_id for share;
          select customer_id into customer_of_company from companies where id = member.company_id for share;
          if customer_of_user <> customer_of_company then
            raise exception 'user % is of customer %, company % of customer %', member.user_id, customer_of_user, member.company_id, customer_of_company
              using errcode = 'check_violation', constraint = 'memberships_customer';
          end if;
        end loop;
        return null;
      end $$`)
    for (const [table, when] of [
      ['memberships', 'insert or update of user_id, company_id'],
      ['users', 'update of customer_id'],
      ['companies', 'update of customer_id']
    ]) {
      this.addSql(`create constraint trigger refuse_foreign_member after ${when} on ${table} deferrable initially immediate for each row execute function refuse_foreign_member()`)
    }
  }

  /** A stored answer belongs to one reach. Existing answers get the current reach of their users. */
  private reaches (): void {
    this.addSql("alter table idempotency_keys add column reach varchar(16) not null default ''")
    this.addSql(`
      do $$ begin
        perform set_config('app.companies', (select coalesce(array_agg(id), '{}')::text from companies), true);
        update idempotency_keys k
        set reach = coalesce(case when u.nivel_acceso in (5, 6) or c.id is null or c.customer_id = u.customer_id then u.nivel_acceso end, m.nivel_acceso, 0) || ':' || coalesce(u.customer_id::text, '')
        from users u, idempotency_keys o
        left join companies c on c.id = o.company_id
        left join memberships m on m.company_id = o.company_id and m.user_id = o.user_id
        where o.id = k.id and u.id = k.user_id;
        perform set_config('app.companies', '', true);
      end $$`)
    this.addSql('alter table idempotency_keys drop constraint idempotency_keys_unique, add constraint idempotency_keys_unique unique nulls not distinct (user_id, key, route, company_id, reach)')
  }

  private expired (): void {
    this.addSql('create index sessions_ended_index on sessions (least(revoked_at, expires_at))')
    // The live token of a session was created when the previous one was spent, or at the start of the session.
    this.addSql('alter table refresh_tokens add column created_at timestamptz(6) not null default clock_timestamp()')
    this.addSql(`
      update refresh_tokens r
      set created_at = coalesce(case when r.spent_at is null then (select max(o.spent_at) from refresh_tokens o where o.session_id = r.session_id) else r.spent_at end, s.created_at)
      from sessions s where s.id = r.session_id`)
    this.addSql('create index refresh_tokens_created_at_index on refresh_tokens (created_at) where spent_at is null')
    this.addSql('create index refresh_tokens_spent_at_index on refresh_tokens (spent_at) where spent_at is not null')
  }

  private changes (): void {
    // Only updates and deletes supersede an entry, so creates do not maintain this index.
    this.addSql("create index changes_superseding_index on changes (company_id, resource, record_id, revision) where operation <> 'insert'")
    // The service can only read the log. The function deletes only expired entries, with any parameters.
    this.addSql(`
      create function purge_changes(company int, after_revision bigint, after_resource text, after_record bigint, most int)
      returns table (removed int, revision bigint, resource text, record_id bigint, due timestamptz)
      language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
      #variable_conflict use_column
      declare
        superseded_for constant interval := '7 days';
        tombstones_for constant interval := '100 days';
        admitted constant text := coalesce(current_setting('app.companies', true), '');
      begin
        -- The policies bind the owner too.
        perform set_config('app.companies', '{' || company || '}', true);
        return query
          with seen as materialized (
            select c.ctid, c.revision, c.resource, c.record_id, c.changed_at, c.operation = 'delete' as gone,
              exists (
                select from changes n
                where n.company_id = company and n.resource = c.resource and n.record_id = c.record_id and n.revision > c.revision and n.operation <> 'insert') as superseded
            from changes c
            where c.company_id = company and (c.revision, c.resource, c.record_id) > (after_revision, after_resource, after_record)
            order by c.revision, c.resource, c.record_id limit least(most, 1000)),
          judged as (
            select s.*, s.changed_at > statement_timestamp() - superseded_for as young,
              s.changed_at + case when s.superseded then superseded_for when s.gone then tombstones_for end as ends_at
            from seen s),
          purged as (
            delete from changes where ctid = any (array(select j.ctid from judged j where j.ends_at <= statement_timestamp())) returning 1),
          total as (
            select count(*) as seen, coalesce(bool_or(j.young), false) as young,
              least(min(j.ends_at) filter (where j.ends_at > statement_timestamp()), min(j.changed_at + superseded_for) filter (where j.young)) as due
            from judged j)
          select (select count(*)::int from purged), l.revision, l.resource::text, l.record_id::bigint, t.due
          from total t
          left join lateral (
            select s.revision, s.resource, s.record_id from seen s order by s.revision desc, s.resource desc, s.record_id desc limit 1
          ) l on t.seen = least(most, 1000) and not t.young;
        perform set_config('app.companies', admitted, true);
      end $$`)
    this.addSql('revoke execute on function purge_changes(int, bigint, text, bigint, int) from public')
    this.addSql('grant execute on function purge_changes(int, bigint, text, bigint, int) to obra_app')
  }
}
