-- The cover sheets of authorized estimates, as they were at the authorization. One row has all figures: nothing but the sheet reads them.
create table caratulas (
  company_id int not null,
  estimate_id bigint not null,
  figures json not null,
  primary key (company_id, estimate_id),
  constraint caratulas_estimate_foreign
    foreign key (company_id, estimate_id) references estimates (company_id, id) on delete cascade
);
grant select on caratulas to obra_app;
