import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandReference } from '../../src/cli/reference.ts'
import { root } from '../support/process.ts'

t.test('the page of the command line has every command, argument and option as the program has them', async (t) => {
  const page = readFileSync(join(root, 'docs/reference/command-line.md'), 'utf8')
  const [, reference] = /<!-- commands -->\n([\s\S]*?)\n<!-- \/commands -->/.exec(page) ?? []
  t.equal(reference, commandReference(), 'run `node src/cli/reference.ts` and put what it prints between the marks')
})
