import { Migration } from '@mikro-orm/migrations'

/** `obra migrate` installs the triggers of declarations and their functions, without procedures (decision 72). */
export class Migration66DeclaredTriggers extends Migration {
  override up (): void {
    this.addSql(`
      drop procedure if exists keep_revisions_of(text);
      drop procedure if exists keep_history_of(text, text, text, text, text);
      drop procedure if exists make_number_within(text, text, text);
      drop procedure if exists make_copy_from_parent(text, text, text, text, text);`)
  }
}
