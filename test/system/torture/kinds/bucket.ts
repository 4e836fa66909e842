import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { withoutCeph } from '../../bucket/radosgw.ts'
import { nodeOptions, root, withoutTap } from '../../../support/process.ts'
import type { Row } from '../../kernel/table.ts'
import type { Kind } from './kinds.ts'

const what = 'files in a bucket of Ceph'

/** Checks of files in a bucket of Ceph, by a test of tap in a process of its own. */
export const buckets: Kind = {
  name: 'bucket',
  about: 'files in a bucket of Ceph, which hangs and is killed at the end; needs Debian\'s ceph-mon, ceph-osd, ceph-mgr and radosgw',
  async run (_, addRow) {
    const why = withoutCeph()
    addRow(why === false ? rowOf(await checks()) : { what, why })
  }
}

/** The end of the test. */
interface Checked {
  isRight: boolean
  /** Lines of TAP, and errors. */
  output: string
}

async function checks (): Promise<Checked> {
  const [command, args] = withoutTap(process.execPath, [...nodeOptions, join(root, 'test/system/bucket/checks.ts')])
  return await new Promise((resolve) => {
    execFile(command, args, { cwd: root, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) => {
      resolve({ isRight: error === null, output: stdout + stderr })
    })
  })
}

/** The row of the test: its parts, its comments, and the parts that failed. */
export function rowOf ({ isRight, output }: Checked): Row {
  const lines = output.split('\n')
  const parts = lines.filter(line => /^ {4}(not )?ok /.test(line))
  const comments = lines.filter(line => /^ +# (?!Subtest:|time=)/.test(line)).map(line => line.replace(/^ +# /, ''))
  const failed = lines.filter(line => /^ *not ok /.test(line)).map(line => line.trim())
  return { what, times: parts.length, result: comments.join('; '), bad: isRight || failed.length > 0 ? failed : [output.slice(-2000)] }
}
