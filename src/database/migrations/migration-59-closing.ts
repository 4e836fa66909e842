import { Migration } from '@mikro-orm/migrations'

/** A settled contract is closed. Only functions and triggers changed, which are loaded after the last migration. */
export class Migration59Closing extends Migration {
  override up (): void {}
}
