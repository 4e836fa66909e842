import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../src/domain/estimates/resource.ts'
import { webhooks } from '../../src/domain/webhooks/resource.ts'
import { root } from '../support/process.ts'

const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8')

for (const { name, defaults } of [contracts, estimates, contrapartes, webhooks]) {
  t.test(`the page has the defaults of ${name}`, (t) => {
    const [line = ''] = new RegExp(`^- \`${name}\`: .*$`, 'm').exec(page) ?? []
    const shown = [...line.matchAll(/`(\w+)` `([^`]+)`/g)].map(([, field, value]) => [field as string, value])
    const values = Object.entries(defaults).filter(([, value]) => value !== '' && value !== null).map(([field, value]) => [field, String(value)])
    t.strictSame(Object.fromEntries(shown), Object.fromEntries(values))
    t.end()
  })
}

t.test('the diagram has the state changes of an estimate', (t) => {
  const shown = [...page.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} ${to}`)
  const states = [...new Set(shown.flatMap(change => change.split(' ')))]
  const given = { motivo_rechazo: 'reason' }
  const allowed = states.flatMap(from => states.filter(to => to !== from && estimates.rules({ estado: to, ...given }, { estado: from }, given).length === 0).map(to => `${from} ${to}`))
  t.strictSame(shown.sort(), allowed.sort())
  t.equal(states.length, 6)
  t.end()
})
