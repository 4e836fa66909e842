import { Migration } from '@mikro-orm/migrations'

/** Refresh tokens know whether the access token that was issued with them is unused (decision 41). */
export class Migration27UnusedTokens extends Migration {
  override up (): void {
    this.addSql('alter table refresh_tokens add column unused_access bytea null')
  }
}
