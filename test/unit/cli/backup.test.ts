import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { build } from '../../support/helper.ts'
import { barePlace, demoPlace, emptyPlace, newFolder } from '../../support/process.ts'
import { embeddedFolder, server } from '../../support/template.ts'
import { asOwnerOf } from './backup/lines.ts'
import { owning, parse, variables } from './parse.ts'

t.test('a backup is a file that only its owner can read, and restores into an empty database of either kind', async (t) => {
  const place = await demoPlace(t)
  const env = variables(place)
  const file = join(place.dir, 'obra.backup')
  writeFileSync(file, 'an older one', { mode: 0o644 })

  const made = await parse(['backup', file, '--json'], env)
  t.match(made, { error: undefined, err: '' })
  const { rows, bytes } = JSON.parse(made.out)
  t.ok(rows > 200)
  t.equal(bytes, statSync(file).size)
  const { findings } = JSON.parse((await parse(['doctor', '--json'], env)).out) as { findings: Array<{ check: string }> }
  t.match(findings.find(({ check }) => check === 'backup'), { outcome: 'ok', message: 'the last backup is 0 hours old' })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.strictSame(readdirSync(place.dir).filter(name => name !== 'data'), ['obra.backup'], 'no temporary file is left')
  t.match(await parse(['restore', file], env), { out: '', error: { message: 'the database is not empty: restore into a new one' } })

  // From PostgreSQL to the embedded database, or from one embedded database to another.
  const other = { DATABASE_URL: '', DATA_DIR: join(place.dir, 'other') }
  await embeddedFolder(join(other.DATA_DIR, 'pglite'), 'empty')
  const broken = join(place.dir, 'broken')
  writeFileSync(broken, 'no backup')
  t.match(await parse(['restore', broken], other), { out: '', error: { message: 'the file is not an Obra backup, or it is damaged' } })
  t.match(await parse(['restore', file], other), { error: undefined, out: `restored ${rows} rows from ${file}\n` })

  if (server !== undefined) {
    const back = join(place.dir, 'embedded.backup')
    const again = await parse(['backup', back, '--json'], other)
    t.equal(again.error, undefined)
    const { rows } = JSON.parse(again.out)
    t.match(await parse(['restore', back], variables(await emptyPlace(t))), { error: undefined, out: `restored ${rows} rows from ${back}\n` }, 'and back')
  }
})

t.test('a failed backup keeps the previous file and leaves no other', async (t) => {
  const place = await barePlace(t)
  const file = join(place.dir, 'obra.backup')
  writeFileSync(file, 'an older one')
  t.match(await parse(['backup', file], variables(place)), { out: '', error: { message: 'the database is empty: no migration has run; run `obra migrate` first' } })
  t.strictSame(readdirSync(place.dir).filter(name => name !== 'data'), ['obra.backup'])
  t.equal(statSync(file).size, 12)
})

t.test('a backup of a database without the table for its time is complete, and the command says so', async (t) => {
  const fresh = await build(t)
  await asOwnerOf(fresh, async orm => await orm.em.execute('drop table last_backup'))
  const file = join(newFolder(t).dir, 'obra.backup')
  const { error, out, err } = await parse(['backup', file], {}, { databases: owning(fresh) })
  t.equal(error, undefined)
  t.match(out, /: \d+ rows, \d+ bytes\n$/)
  const reason = 'the database is of an earlier release; run `obra migrate` after the backup'
  t.equal(err, `the backup is complete, but its time could not be stored for obra doctor: ${reason}\n`)
})
