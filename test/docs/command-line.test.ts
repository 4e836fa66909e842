import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandReference } from '../../src/cli/reference.ts'
import { root } from '../support/process.ts'

t.test('the command line page has every command, argument and option of the program', async (t) => {
  const page = readFileSync(join(root, 'docs/reference/command-line.md'), 'utf8')
  const [, reference] = /<!-- commands -->\n([\s\S]*?)\n<!-- \/commands -->/.exec(page) ?? []
  t.equal(reference, commandReference(), 'run `node src/cli/reference.ts` and put its output between the marks')
})
