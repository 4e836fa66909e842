-- Rules of accounts: versions, sessions of deactivated users, members of another customer, authority revisions.

create function touch_account() returns trigger language plpgsql as $$
begin
  if new.id <> old.id then
    raise exception 'an account keeps its id' using errcode = 'check_violation';
  end if;
  new.version := old.version + 1;
  new.created_at := old.created_at;
  new.updated_at := clock_timestamp();
  return new;
end $$;
create trigger touch_account before update on customers for each row execute function touch_account();
create trigger touch_account before update on companies for each row execute function touch_account();
create trigger touch_account before update on users for each row execute function touch_account();
create trigger touch_account before update on memberships for each row execute function touch_account();

create function end_sessions() returns trigger language plpgsql as $$
begin
  update sessions set revoked_at = clock_timestamp() where user_id = new.id and revoked_at is null;
  return null;
end $$;
create trigger end_sessions after update of activo on users
  for each row when (old.activo and not new.activo) execute function end_sessions();

-- A member belongs to the company's customer or to none. Each trigger locks the rows that the other one reads, so that concurrent
-- transactions cannot break the rule.
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
end $$;
create constraint trigger refuse_foreign_member after insert or update of user_id, company_id on memberships
  deferrable initially immediate for each row execute function refuse_foreign_member();
create constraint trigger refuse_foreign_member after update of customer_id on users
  deferrable initially immediate for each row execute function refuse_foreign_member();
create constraint trigger refuse_foreign_member after update of customer_id on companies
  deferrable initially immediate for each row execute function refuse_foreign_member();

-- Fails a transaction if its caller has changed since authentication.
create function refuse_changed_caller() returns void language plpgsql as $$
begin
  raise exception 'a caller''s session has ended, or the level has changed' using errcode = 'OB001';
end $$;

-- A number that is compared but not counted can be its own stamp.
create function raise_authority(changed int) returns void language plpgsql as $$
begin
  -- Once per transaction: a version of the row by this transaction is visible to no other one. Reading first keeps statements with many rows fast.
  if not exists (select from authority_revisions where bucket = changed and xmin = pg_current_xact_id()::xid) then
    insert into authority_revisions as a (bucket, revision) values (changed, stamp_of(clock_timestamp()))
    on conflict (bucket) do update set revision = case when a.revision < excluded.revision then excluded.revision else a.revision + 1 end;
  end if;
end $$;
create function raise_authority_of_user() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_table_name = 'users' then
    perform raise_authority(new.id % 256);
  else
    perform raise_authority(coalesce(new.user_id, old.user_id) % 256);
    if new.user_id <> old.user_id then
      perform raise_authority(old.user_id % 256);
    end if;
  end if;
  return null;
end $$;
create function raise_authority_of_all() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform raise_authority(bucket) from generate_series(0, 255) as bucket;
  return null;
end $$;

-- These triggers fire at the commit. So a transaction holds a bucket briefly, and waits for no record while it holds one.
create constraint trigger raise_authority_update after update on sessions deferrable initially deferred for each row
  when (old.user_id <> new.user_id or old.expires_at <> new.expires_at or old.revoked_at is distinct from new.revoked_at)
  execute function raise_authority_of_user();
create constraint trigger raise_authority_delete after delete on sessions deferrable initially deferred for each row
  when (old.revoked_at is null and old.expires_at > clock_timestamp())
  execute function raise_authority_of_user();
create constraint trigger raise_authority after update on users deferrable initially deferred for each row
  when (old.activo <> new.activo or old.nivel_acceso is distinct from new.nivel_acceso
    or old.customer_id is distinct from new.customer_id or old.company_id is distinct from new.company_id)
  execute function raise_authority_of_user();
create constraint trigger raise_authority after insert or update or delete on memberships deferrable initially deferred for each row
  execute function raise_authority_of_user();
create constraint trigger raise_authority after update on companies deferrable initially deferred for each row
  when (old.customer_id <> new.customer_id)
  execute function raise_authority_of_all();
create trigger raise_authority_truncate after truncate on sessions for each statement execute function raise_authority_of_all();
create trigger raise_authority_truncate after truncate on memberships for each statement execute function raise_authority_of_all();
