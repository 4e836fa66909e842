-- A stamp is the microsecond at which a revision was raised. After the database has returned to an earlier state, it gives revisions out
-- again for other content, but never with the same stamp.
create or replace function stamp_of(instant timestamptz) returns bigint
language sql stable
return (extract(epoch from instant) * 1000000)::bigint;
