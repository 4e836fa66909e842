create or replace function stamp_time(stamp bigint) returns timestamptz
language sql stable
return 'epoch'::timestamptz + stamp * interval '1 microsecond';
