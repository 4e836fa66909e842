import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { copyFiles } from '../../../../src/cli/export/copy-files.ts'
import type { FileStore } from '../../../../src/domain/adjuntos/file-store.ts'

const bytes = Buffer.from('bytes of a photo')
const sha256 = createHash('sha256').update(bytes).digest('hex')

/** A store whose first reads lose the connection after some bytes. */
function unsteady (losses: number): Pick<FileStore, 'read'> {
  let reads = 0
  return {
    read: async () => Readable.from((async function * () {
      yield bytes.subarray(0, 5)
      if (++reads <= losses) throw new Error('the connection was lost')
      yield bytes.subarray(5)
    })())
  }
}

function folderIn (t: Test): string {
  const folder = t.testdir()
  mkdirSync(join(folder, 'companies/7'), { recursive: true })
  return folder
}

t.test('a file is copied again after a lost connection', async (t) => {
  const folder = folderIn(t)
  t.strictSame(await copyFiles(folder, new Map([[7, [sha256]]]), unsteady(2) as FileStore), { files: 1, lost: [] })
  t.ok(readFileSync(join(folder, 'companies/7/files', sha256)).equals(bytes))
})

t.test('a file that cannot be read is named, and leaves no part', async (t) => {
  const folder = folderIn(t)
  await t.rejects(copyFiles(folder, new Map([[7, [sha256]]]), unsteady(3) as FileStore), { message: `the file 7/${sha256} cannot be read: the connection was lost` })
  t.strictSame(readdirSync(join(folder, 'companies/7/files')), [])
})
