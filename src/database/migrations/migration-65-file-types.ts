import { Migration } from '@mikro-orm/migrations'

/** The media type of a file follows from its bytes. Another one that the client gave is kept beside it. */
export class Migration65FileTypes extends Migration {
  override up (): void {
    this.addSql('alter table adjuntos add tipo_declarado varchar(80) null')
    this.addSql('drop trigger if exists fixed_tipo on adjuntos')
  }
}
