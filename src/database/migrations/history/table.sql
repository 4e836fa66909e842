create table history (
  id bigserial primary key,
  company_id int not null,
  customer int null,
  contract bigint null,
  resource varchar(32) not null,
  record_id bigint not null,
  version int not null,
  at timestamptz(6) not null,
  caller int null,
  operation varchar(6) not null,
  fields jsonb not null,
  constraint history_operation_check check (operation in ('insert', 'update', 'delete'))
);
create index history_at_index on history (company_id, at, id);
create index history_record_index on history (company_id, record_id, at);
create index history_contract_index on history (company_id, contract, at) where contract is not null;
create index history_caller_index on history (company_id, caller, at);
create index history_customer_index on history (customer, at) where customer is not null;
grant select on history to obra_app;
