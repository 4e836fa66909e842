-- A percentage from before this rule stays, so that the authorization of its estimate can store its amount.
create or replace function refuse_percentage() returns trigger
language plpgsql as $$
begin
  raise exception 'the percentage of movement % is not above 0 and at most 100', new.id
    using errcode = 'check_violation', constraint = 'movimientos_percentage';
end
$$;
