import { defineEntity, p } from '@mikro-orm/core'

/** The last complete backup of this database by `obra backup`: no row, or one. */
export const LastBackup = defineEntity({
  name: 'LastBackup',
  tableName: 'last_backup',
  properties: {
    only_row: p.boolean().primary().default(true).check('only_row'),
    ended_at: p.datetime(6),
    rows: p.bigint('number'),
    bytes: p.bigint('number')
  }
})
