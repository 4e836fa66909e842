import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { replaceFile } from '../../../src/http/replace-file.ts'
import { embeddedFolder } from '../../support/template.ts'
import { parse } from '../cli/parse.ts'

const notRoot = process.geteuid?.() !== 0 && 'only root can give files away'
const somebody = 12_345
const write = async (path: string, keepOwnerOf?: string) => await replaceFile(path, async file => await file.writeFile('new'), keepOwnerOf)
const foreign = (path: string) => ({ message: `${path} belongs to another user (${somebody}), who could read the content: remove it, or pass --keep-owner` })

t.test('a file is replaced by one that only its owner can read', async (t) => {
  const dir = t.testdir({ mine: 'old' })
  chmodSync(join(dir, 'mine'), 0o644)
  for (const name of ['mine', 'none']) {
    await write(join(dir, name))
    t.equal(readFileSync(join(dir, name), 'utf8'), 'new')
    t.equal(statSync(join(dir, name)).mode & 0o7777, 0o600)
  }
  t.strictSame(readdirSync(dir).sort(), ['mine', 'none'])
})

t.test('a path that is not a regular file is refused', async (t) => {
  const dir = t.testdir({ target: 'old', folder: {} })
  symlinkSync('target', join(dir, 'link'))
  symlinkSync('nothing', join(dir, 'broken'))
  for (const name of ['link', 'broken']) await t.rejects(write(join(dir, name)), { message: `${join(dir, name)} is not a regular file: name another one, or the target of the link` })
  await t.rejects(write(join(dir, 'folder')), { message: `${join(dir, 'folder')} is not a regular file: name another one` })
  t.equal(readFileSync(join(dir, 'target'), 'utf8'), 'old')
  t.ok(lstatSync(join(dir, 'link')).isSymbolicLink())
  t.strictSame(readdirSync(dir).sort(), ['broken', 'folder', 'link', 'target'], 'no temporary file remains')
})

t.test('a file of another user is refused, also in a shared folder, unless its owner keeps it', { skip: notRoot }, async (t) => {
  const dir = t.testdir({})
  chmodSync(dir, 0o1777)
  const path = join(dir, 'obra.backup')
  writeFileSync(path, 'old')
  chownSync(path, somebody, somebody)
  await t.rejects(replaceFile(path, async () => t.fail('it is written')), foreign(path))
  t.equal(readFileSync(path, 'utf8'), 'old')
  t.equal(statSync(path).uid, somebody)
  t.strictSame(readdirSync(dir), ['obra.backup'])

  await write(path, path)
  t.equal(readFileSync(path, 'utf8'), 'new')
  t.match(statSync(path), { uid: somebody, gid: somebody, mode: 0o100600 })
  await t.rejects(write(path, join(dir, 'none')), foreign(path), 'a file of another owner than the intended one')
})

t.test('the commands refuse a file of another user', { skip: notRoot }, async (t) => {
  const dir = t.testdir({ env: 'JWT_SECRET=before\n', data: { 'signing-key': 'a key that was made before, for the tests' } })
  const [env, data, key] = [join(dir, 'env'), join(dir, 'data'), join(dir, 'data', 'signing-key')]
  for (const file of [env, key]) chownSync(file, somebody, somebody)
  t.match(await parse(['rotate-secret', '--env-file', env]), { out: '', error: foreign(env) })
  t.equal(readFileSync(env, 'utf8'), 'JWT_SECRET=before\n')
  t.match(await parse(['rotate-secret'], { DATA_DIR: data }), { out: '', error: foreign(key) })
  t.strictSame(readdirSync(data), ['signing-key'], 'no copy of the previous key is kept')

  t.match(await parse(['rotate-secret', '--env-file', env, '--keep-owner']), { error: undefined })
  t.match(readFileSync(env, 'utf8'), /^JWT_SECRET=\S{64}\nJWT_SECRET_PREVIOUS=before\n$/)
  t.match(await parse(['rotate-secret', '--keep-owner'], { DATA_DIR: data }), { error: undefined })
  for (const file of [env, key, `${key}.previous`]) t.match(statSync(file), { uid: somebody, gid: somebody, mode: 0o100600 }, file)

  const backup = join(dir, 'obra.backup')
  writeFileSync(backup, 'old')
  chownSync(backup, somebody, somebody)
  const empty = { DATABASE_URL: '', DATA_DIR: join(dir, 'empty') }
  await embeddedFolder(join(empty.DATA_DIR, 'pglite'), 'empty')
  t.match(await parse(['backup', backup], empty), { out: '', error: foreign(backup) })
  t.match(await parse(['backup', backup, '--keep-owner'], empty), { out: '', error: { message: 'the database is empty: no migration has run; run `obra migrate` first' } })
  t.equal(readFileSync(backup, 'utf8'), 'old')
})
