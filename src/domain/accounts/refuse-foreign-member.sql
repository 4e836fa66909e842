-- A member belongs to the company's customer or to none. Each trigger locks the rows that the other one reads, so that concurrent
-- transactions cannot break the rule.
create or replace function refuse_foreign_member() returns trigger
language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
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
end
$$;
