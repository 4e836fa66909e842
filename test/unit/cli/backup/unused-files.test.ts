import { randomBytes } from 'node:crypto'
import t from 'tap'
import { restore } from '../../../../src/cli/backup/restore.ts'
import { openEmptyDatabase } from '../../../support/empty-database.ts'
import { build } from '../../../support/helper.ts'
import { asOwnerOf, each, linesOfBackup } from './lines.ts'

t.test('after a restore, no new attachment uses bytes that had no attachment at the backup, and no upload is in progress', async (t) => {
  const source = await build(t)
  const { company } = (await (await source.as('director@demo.example')).get('me/')).json()
  await source.psql(`
    insert into stored_files (company_id, sha256, bytes, tipo, unused_since)
    values ($1, repeat('a', 64), 1, 'image/jpeg', now()), ($1, repeat('b', 64), 1, 'image/jpeg', null)`, [company])
  await source.psql("insert into uploads (id, company_id, sha256, bytes) values (gen_random_uuid(), $1, repeat('c', 64), 1)", [company])
  const lines = await asOwnerOf(source, async orm => await linesOfBackup(t, orm))
  const target = await openEmptyDatabase(t, `obra_test_owner_${randomBytes(4).toString('hex')}`)
  await restore(target.orm, each(lines))
  const rows = (await linesOfBackup(t, target.orm)).map(line => JSON.parse(line))
  const restored = rows.filter(({ removing }) => removing !== undefined)
  t.strictSame(rows.filter(row => 'begun_at' in row), [])
  t.strictSame(restored.map(({ sha256, removing }) => [sha256.charAt(0), removing]).sort(), [['a', true], ['b', false]])
})
