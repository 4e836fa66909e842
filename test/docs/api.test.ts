import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../src/domain/estimates/resource.ts'
import { root } from '../support/process.ts'

const page = readFileSync(join(root, 'docs/reference/api.md'), 'utf8')

function codes (text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, code]) => code as string)
}

for (const [name, resource] of Object.entries({ contracts, estimates, contrapartes })) {
  t.test(`the page has every field, filter and ordering of ${name}, and no other`, async (t) => {
    const section = page.split(`## \`${name}/\`\n`)[1]?.split('\n## ')[0] as string
    const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => codes(cell as string))
    t.strictSame(rows.sort(), [...Object.keys(resource.columns), ...Object.keys(resource.references)].sort())
    const list = (word: string) => codes(new RegExp(`^${word}: (.*?)[.;]`, 'm').exec(section)?.[1] as string)
    t.strictSame(list('Filters'), Object.keys(resource.filters))
    t.strictSame(list('Orderings'), Object.keys(resource.ordering))
    for (const [field, value] of Object.entries(resource.defaults)) {
      const row = section.split('\n').find(line => line.startsWith('|') && codes(line.split(' | ')[0] as string).includes(field)) as string
      t.match(row.split(' | ').at(-1), value === '' ? '""' : String(value), `default of ${field}`)
    }
  })
}
