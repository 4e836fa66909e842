import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { configTable } from '../../../src/server/config-table.ts'
import { configSchema } from '../../../src/config/variables.ts'
import { root, run } from '../../support/process.ts'

t.test('the table has one row per variable, with its default and description', async (t) => {
  const [head, rule, ...rows] = configTable().split('\n')
  t.equal(head, '| Variable | Default | Description |')
  t.match(rule, /^(\|-+){3}\|$/)
  const cells = rows.map(row => row.slice(2, -2).split(' | '))
  t.strictSame(cells.map(([name]) => name), Object.keys(configSchema.properties).map(name => `\`${name}\``))
  t.ok(cells.every(cells => cells.length === 3), 'no description breaks out of its cell')
  t.match(rows.find(row => row.includes('`PORT`')), /^\| `PORT` \| `3000` \| port to listen on; .*\|$/)
  t.match(rows.find(row => row.includes('`JWT_SECRET`')), /^\| `JWT_SECRET` \| {2}\| key that signs tokens .*\|$/)
})

t.test('run directly, it prints the table', async (t) => {
  const { code, stdout } = await run(t, process.execPath, ['src/server/config-table.ts'])
  t.equal(code, 0)
  t.equal(stdout, `${configTable()}\n`)
})

t.test('the page of variables has the generated table', async (t) => {
  const page = readFileSync(join(root, 'docs/reference/variables.md'), 'utf8')
  const shown = /<!-- variables -->\n([\s\S]*?)\n<!-- \/variables -->/.exec(page)?.[1]
  t.equal(shown?.trim(), configTable(), 'put the output of `node src/server/config-table.ts` between <!-- variables --> and <!-- /variables --> in docs/reference/variables.md')
})
