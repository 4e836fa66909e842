import { Migration } from '@mikro-orm/migrations'

/** An invoice that replaces another one replaces its factura_uuid too. Only a function changed, which is loaded after the last migration. */
export class Migration61Substitution extends Migration {
  override up (): void {}
}
