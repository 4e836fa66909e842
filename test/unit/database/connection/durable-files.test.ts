import fs, { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import t, { type Test } from 'tap'
import { openEmbedded } from '../../../../src/database/connection/embedded.ts'
import { embeddedFolder, server } from '../../../support/template.ts'

/**
 * Keeps what a disk has of a folder after a power loss: the content of each file at its last sync, without files whose removal was synced.
 * @param live the folder, which is on the disk now
 * @returns copies what the disk has at this moment to another folder
 */
function recordDisk (t: Test, live: string): (folder: string) => void {
  const disk = `${live}.disk`
  cpSync(live, disk, { recursive: true })
  const { fdatasyncSync, fsyncSync } = fs
  const pathOf = (descriptor: number) => relative(live, readlinkSync(`/proc/self/fd/${descriptor}`))
  const keep = (sync: (descriptor: number) => void) => (descriptor: number) => {
    sync(descriptor)
    const path = pathOf(descriptor)
    if (path.startsWith('..')) return
    const [from, to] = [join(live, path), join(disk, path)]
    if (fs.statSync(from).isFile()) {
      mkdirSync(dirname(to), { recursive: true })
      copyFileSync(from, to)
    } else {
      for (const name of existsSync(to) ? readdirSync(to) : []) if (!existsSync(join(from, name))) rmSync(join(to, name), { recursive: true })
    }
  }
  Object.assign(fs, { fdatasyncSync: keep(fdatasyncSync), fsyncSync: keep(fsyncSync) })
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, { fdatasyncSync, fsyncSync })
    syncBuiltinESMExports()
  })
  return folder => cpSync(disk, folder, { recursive: true })
}

/** Commits rows one by one. @param kilobytes size of a row */
async function insert (pglite: PGlite, from: number, to: number, kilobytes = 0): Promise<void> {
  for (let n = from; n <= to; n++) await pglite.query('insert into acknowledged values ($1, $2)', [n, 'x'.repeat(1024 * kilobytes)])
}

async function powerLoss (t: Test): Promise<void> {
  const dir = t.testdir()
  const live = join(dir, 'data', 'pglite')
  await embeddedFolder(live)
  const lose = recordDisk(t, live)
  const { pglite, close } = await openEmbedded(join(dir, 'data'))
  t.same((await pglite.query("select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by 1")).rows,
    ['fsync', 'full_page_writes', 'synchronous_commit'].map(name => ({ name, setting: 'on' })))
  await pglite.exec('create table acknowledged (n int, text text)')

  let losses = 0
  const rowsAfterLoss = async () => {
    const dataDir = join(dir, `lost-${losses++}`)
    mkdirSync(dataDir)
    lose(join(dataDir, 'pglite'))
    const after = await openEmbedded(dataDir)
    const { rows } = await after.pglite.query<{ n: number }>('select n from acknowledged order by n')
    await after.close()
    return rows.map(({ n }) => n)
  }
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

  await insert(pglite, 1, 20)
  await pglite.exec('begin; insert into acknowledged values (99)')
  t.same(await rowsAfterLoss(), upTo(20), 'committed rows, and no others')
  await pglite.exec('rollback')

  await insert(pglite, 21, 40, 200) // several segments of the log
  t.same(await rowsAfterLoss(), upTo(40), 'in a new file of the log')

  await pglite.exec('checkpoint; alter table acknowledged add column more int default 1')
  await insert(pglite, 41, 45)
  t.same(await rowsAfterLoss(), upTo(45), 'after a checkpoint, which allows older files of the log to be reused')
  await close()
}

if (server === undefined) {
  t.test('after a power loss, the embedded database has each acknowledged commit', powerLoss)

  t.test('a crash during the creation of an embedded database leaves none', async (t) => {
    const dataDir = t.testdir({ 'pglite.part': { PG_VERSION: '18\n' } })
    const { pglite, close } = await openEmbedded(dataDir)
    t.same((await pglite.query('select 1 as one')).rows, [{ one: 1 }])
    await close()
    t.same(readdirSync(dataDir).sort(), ['lock', 'pglite'])
  })
}
