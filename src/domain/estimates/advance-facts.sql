-- The advance of a contract: what was delivered, or what is agreed. A settled contract without a delivery has repaid it.
create or replace function advance_facts(delivered numeric, agreed numeric, is_settled bool, repaid numeric) returns json
language sql immutable
begin atomic
  select json_build_object(
    'importe', a.importe::text, 'amortizado', repaid::text, 'por_amortizar', greatest(0.00, a.importe - repaid)::text)
  from (select case when delivered > 0 then delivered when is_settled then repaid else agreed end as importe) a;
end;
