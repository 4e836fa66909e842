import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import { examineFiles } from '../../../../src/cli/doctor/files.ts'
import { attaching, fileOf, sha256Of } from '../../../support/attaching.ts'
import { fileStores, type FileStoreKind } from '../../../support/bucket.ts'

for (const kind of fileStores) t.test(`obra doctor compares the files of the ${kind} and those of the database`, async t => await isCompared(t, kind))

async function isCompared (t: Test, kind: FileStoreKind): Promise<void> {
  const { app, attach, bucket, contract, pathOf, put, psql } = await attaching(t, {}, kind)
  const { place } = app.files.store
  const of = await contract()
  const examine = async () => (await examineFiles(psql, app.files.store)).map(({ outcome, message }) => [outcome, message])
  const healthy = [['ok', 'the files of all attachments are there, and no others']]
  t.strictSame(await examine(), healthy, 'without a file')
  const [first, second] = [fileOf('image/jpeg', 'uno'), fileOf('image/jpeg', 'dos')]
  for (const file of [first, second]) t.equal((await put((await attach(file, { contract: of }))['id'], file)).status, 200)
  t.strictSame(await examine(), healthy)
  const [{ company }] = await psql('select distinct company_id as company from stored_files') as [{ company: number }]
  await psql("insert into stored_files (company_id, sha256, bytes, tipo, unused_since, removing) values ($1, repeat('a', 64), 1, 'image/jpeg', now(), true)", [company])
  t.strictSame(await examine(), healthy, 'bytes that are removed can be missing')
  await psql("update stored_files set removing = false where sha256 = repeat('a', 64)")
  t.match(await examine(), [['failed', new RegExp(`of another size: ${company}/a{64};`)]], 'bytes that a new attachment would use cannot')
  await psql("delete from stored_files where sha256 = repeat('a', 64)")
  rmSync(pathOf(`${company}/${sha256Of(first)}`))
  writeFileSync(pathOf(`${company}/${sha256Of(second)}`), 'x')
  const names = [first, second].map(file => `${company}/${sha256Of(file)}`).sort().join(', ')
  t.strictSame(await examine(), [['failed', `missing in ${place}, or of another size: ${names}; copy them from a backup`]])
  for (const file of [first, second]) writeFileSync(pathOf(`${company}/${sha256Of(file)}`), file)
  const other = dirname(pathOf('7/x'))
  // The SDK does not decode the entity with which the fake writes a quote.
  const invalid = kind === 'folder' ? "7/no'hash" : '7/no-hash'
  mkdirSync(other)
  writeFileSync(pathOf(invalid), 'x')
  writeFileSync(pathOf(`7/${sha256Of(first)}`), 'x')
  const unknown = ['7/' + sha256Of(first), invalid].sort((a, b) => a < b ? -1 : 1)
  const [found] = await examine()
  t.match(found?.[0], 'warning')
  for (const name of unknown) t.match(found?.[1], name)
  rmSync(other, { recursive: true })
  await psql('delete from stored_files where sha256 = $1', [sha256Of(first)])
  t.match(await examine(), [['failed', /^1 attachments are `listo` without a stored file/], ['warning', /^of no attachment/]])
  if (bucket === undefined) return
  await bucket.stop()
  t.match(await examine(), [['failed', /^the bucket obra-files of FILES_URL: cannot find a file: no answer, ECONNREFUSED/]])
}
