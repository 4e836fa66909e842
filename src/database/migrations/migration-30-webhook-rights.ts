import { Migration } from '@mikro-orm/migrations'

/** Only a trigger runs the function that switches off the webhooks of a moved company. */
export class Migration30WebhookRights extends Migration {
  override up (): void {
    this.addSql('revoke execute on function switch_off_webhooks() from public')
  }
}
