import { Migration } from '@mikro-orm/migrations'

/** Uploads that outlive their requests: they name their attachment, which has one, and the end of their last request. */
export class Migration57ResumableUploads extends Migration {
  override up (): void {
    this.addSql(`
      alter table uploads
        add column adjunto_id bigint null,
        add column active_at timestamptz(6) null,
        add constraint uploads_adjunto_foreign
          foreign key (company_id, adjunto_id) references adjuntos (company_id, id) on delete set null (adjunto_id);
      create unique index uploads_adjunto_unique on uploads (company_id, adjunto_id) where adjunto_id is not null;`)
  }
}
