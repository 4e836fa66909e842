import { Migration } from '@mikro-orm/migrations'

export class Migration68Bitacora extends Migration {
  override up (): void {
    this.addSql(`
      create table "bitacora" ("id" bigserial primary key, "company_id" int not null, "external_id" varchar(128) null,
        "created_at" timestamptz(6) not null default clock_timestamp(), "updated_at" timestamptz(6) not null default
        clock_timestamp(), "version" int not null default 1, "contract_id" bigint not null, "frente" varchar(100) not
        null default '', "numero" int null, "tipo" varchar(16) not null default 'otra', "asunto" varchar(200) not null,
        "texto" varchar(8000) not null, "fecha" date not null, "responde_a_id" bigint null, "anula_id" bigint null,
        "autor" jsonb null, "firmante" jsonb null, "firmada_en" timestamptz(6) null, "aceptada_por" jsonb null,
        "aceptada_en" timestamptz(6) null, "estado" varchar(16) not null default 'borrador', "busqueda" text generated
        always as (search_text(asunto || ' ' || texto)) stored not null)`)
    this.addSql(`
      create index "bitacora_responde_a_index" on "bitacora" ("company_id", "responde_a_id") where responde_a_id is
        not null`)
    this.addSql(`
      create index "bitacora_anula_index" on "bitacora" ("company_id", "anula_id") where anula_id is not null`)
    this.addSql('alter table "bitacora" add constraint "bitacora_company_id_unique" unique ("company_id", "id")')
    this.addSql(`
      create unique index "bitacora_external_id_unique" on "bitacora" ("company_id", "external_id") where external_id
        is not null`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_numero_unique" unique ("company_id", "contract_id", "frente",
        "numero")`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_contract_id_unique" unique ("company_id", "contract_id", "id")`)
    this.addSql('alter table "company_revisions" add "bitacora" int not null default 0')
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_company_id_foreign" foreign key ("company_id") references
        "companies" ("id")`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_contract_foreign" foreign key ("company_id", "contract_id")
        references "contracts" ("company_id", "id")`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_responde_a_foreign" foreign key ("company_id", "contract_id",
        "responde_a_id") references "bitacora" ("company_id", "contract_id", "id")`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_anula_foreign" foreign key ("company_id", "contract_id",
        "anula_id") references "bitacora" ("company_id", "contract_id", "id")`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_numero_check" check ((estado = 'borrador') = (numero is null))`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_tipo_check" check (tipo in ('apertura', 'instruccion',
        'solicitud', 'autorizacion', 'suspension', 'informe', 'minuta', 'otra', 'cierre'))`)
    this.addSql(`
      alter table "bitacora" add constraint "bitacora_estado_check" check (estado in ('borrador', 'firmada',
        'aceptada'))`)
    this.addSql('alter table "bitacora" enable row level security')
    this.addSql('alter table "bitacora" force row level security')
    this.addSql(`
      create policy "company_admitted" on "bitacora" using ((company_id = any ((select
        nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])) is true) with check ((company_id =
        any ((select nullif(current_setting('app.companies', true), '')::int[] as nullif)::int[])) is true)`)
    this.addSql('grant select, insert, update, delete on bitacora to obra_app')
    this.addSql('grant usage, select on sequence bitacora_id_seq to obra_app')
    this.addSql("call keep_search_of('bitacora')")
  }
}
