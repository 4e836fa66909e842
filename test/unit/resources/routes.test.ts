import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { resources } from '../../../src/domain/resources.ts'
import { root } from '../../support/process.ts'

t.test('each registered resource has the folders of its paths', (t) => {
  const files = resources.flatMap(({ name }) => ['', '_id/', 'bulk/'].map(path => `routes/api/v1/${name}/${path}index.ts`))
  t.strictSame(files.filter(file => !existsSync(join(root, file))), [])
  t.end()
})
