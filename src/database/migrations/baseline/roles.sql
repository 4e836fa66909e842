-- Roles and the schema of the search index.

-- Roles belong to the whole cluster, so a migration of another database may create the same roles concurrently.
do $$ begin
  create role obra_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  create role obra_search nologin;
exception when duplicate_object or unique_violation then null;
end $$;

-- From PostgreSQL 16 on, a user who creates a role and is not a superuser is a member that can grant the role, but not use it yet.
do $$ begin
  if not pg_has_role(current_user, 'obra_app',
    case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
  then
    execute format('grant obra_app to %I', current_user);
  end if;
end $$;

-- Only a member of a role can create objects that it owns. The membership ends in rights.sql, because it also passes the policies.
do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant obra_search to %I', current_user);
  end if;
end $$;
create schema search authorization obra_search;
grant usage on schema search to obra_app;
do $$ begin execute format('grant usage, create on schema search to %I', current_user); end $$;
