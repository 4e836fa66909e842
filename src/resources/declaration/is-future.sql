-- Whether a day is more than one day ahead of the server's, in UTC. Somewhere it is tomorrow already.
create or replace function is_future(day date) returns bool
language sql stable
return coalesce(day > (statement_timestamp() at time zone 'UTC')::date + 1, false);
