import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { tryFolder } from '../../../src/files/try-folder.ts'
import { attaching, fileOf } from '../../support/attaching.ts'
import { demoPlace, obra, refusedStart } from '../../support/process.ts'

const unusable = 'the folder `files` of DATA_DIR cannot be used: ENOTDIR'
const remedy = 'DATA_DIR must be a folder that the server\'s user can read and write'

t.test('a server does not start if DATA_DIR cannot have files, and doctor names it', async (t) => {
  const place = await demoPlace(t)
  mkdirSync(place.dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(place.dataDir, 'files'), 'not a folder')
  const { code, stderr } = await refusedStart(t, place, { PORT: '0', LOG_LEVEL: 'silent' })
  t.not(code, 0)
  t.match(stderr, /^obra: [^\n]+\n$/, 'one line')
  t.ok(stderr.includes(unusable) && stderr.includes(remedy), stderr)
  const { code: unhealthy, stdout } = await obra(t, place, ['doctor'])
  t.equal(unhealthy, 1)
  t.match(stdout, /^failed +files +the folder `files` of DATA_DIR cannot be used: ENOTDIR/m)
  rmSync(join(place.dataDir, 'files'))
  t.match((await obra(t, place, ['doctor'])).stdout, /^ok +files/m)
})

t.test('a folder is tried without a change', async (t) => {
  const dir = t.testdir({ file: '', folder: {} })
  for (const path of ['folder', 'new', 'new/folder', 'folder/new/folder']) await t.resolves(tryFolder(join(dir, path)), path)
  for (const path of ['file', 'file/folder', 'file/new/folder']) await t.rejects(tryFolder(join(dir, path)), { code: 'ENOTDIR' }, path)
  t.strictSame(readdirSync(dir).sort(), ['file', 'folder'])
  t.strictSame(readdirSync(join(dir, 'folder')), [])
})

t.test('files of a server whose folder is lost get 503 until it is back', async (t) => {
  const { attach, content, contract, folder, put } = await attaching(t)
  const of = await contract()
  const [before, after] = [fileOf('image/jpeg', 'antes'), fileOf('image/jpeg', 'despues')]
  const { id: stored } = await attach(before, { contract: of }) as { id: number }
  t.equal((await put(stored, before)).status, 200)
  const { id } = await attach(after, { contract: of }) as { id: number }
  const aside = `${folder}-aside`
  renameSync(folder, aside)
  writeFileSync(folder, 'not a folder')
  for (const answer of [await put(id, after), await content(stored)]) {
    t.equal(answer.status, 503)
    t.match(await answer.json(), { code: 'unavailable' })
    t.equal(answer.headers.get('retry-after'), '60')
  }
  rmSync(folder)
  renameSync(aside, folder)
  t.equal((await put(id, after)).status, 200)
  t.equal((await content(stored)).status, 200)
})
