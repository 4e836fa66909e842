import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { convenios } from '../../src/domain/convenios/resource.ts'
import { estimates } from '../../src/domain/estimates/resource.ts'
import { registered } from '../../src/domain/resources.ts'
import { webhooks } from '../../src/domain/webhooks/resource.ts'
import { root } from '../support/process.ts'

const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8')

for (const { name, defaults } of [...registered, webhooks]) {
  t.test(`the page has the defaults of ${name}`, (t) => {
    const [line = ''] = new RegExp(`^- \`${name}\`: .*$`, 'm').exec(page) ?? []
    const shown = [...line.matchAll(/`(\w+)` `([^`]+)`/g)].map(([, field, value]) => [field, value])
    const values = Object.entries(defaults).filter(([, value]) => value !== '' && value !== null).map(([field, value]) => [field, String(value)])
    t.strictSame(Object.fromEntries(shown), Object.fromEntries(values))
    t.end()
  })
}

for (const [section, { states: declared }] of [['Estimates', estimates], ['Change orders', convenios]] as const) {
  t.test(`the diagram of ${section} has the changes of estado`, (t) => {
    const [, text = ''] = page.split(`\n## ${section}\n`)
    const shown = [...text.split('\n## ')[0].matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} ${to}`)
    const to = declared?.to ?? {}
    const allowed = Object.entries(to).flatMap(([from, states]) => states.map(state => `${from} ${state}`))
    t.strictSame(shown.sort(), allowed.sort())
    t.equal(Object.keys(to).length, 6)
    t.end()
  })
}

t.test('nothing is deprecated, as the page says', (t) => {
  t.match(page, 'Nothing in it is deprecated now')
  // The types are generated from the OpenAPI document.
  t.notMatch(readFileSync(join(root, 'src/client/api.d.ts'), 'utf8'), '@deprecated')
  t.end()
})
