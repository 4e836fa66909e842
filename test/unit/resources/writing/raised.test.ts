import { globSync, readFileSync } from 'node:fs'
import t from 'tap'
import { resources } from '../../../../src/domain/resources.ts'

/** Refused by the rules of a resource before the database: values, fixed fields. */
const byRules = ['movimientos_one', 'movimientos_percentage', 'estimates_finiquito_draft', 'estimates_identity']
/** The states of a record, which the engine checks with the record that it has read. */
const byState = resources.flatMap(({ name, states, changeableWhile }) => [
  ...states === undefined ? [] : [`${name}_transition`], ...changeableWhile === undefined ? [] : [`${name}_fixed`]
])
/** A constraint without a name, which shares its field and key with this one. */
const unnamed = ['generadores_reduction']
/** Tables of accounts, whose records are written one by one. */
const ofAccounts = ['companies_zona_horaria_known', 'memberships_customer']

t.test('lookups find what triggers refuse, so that the refused records of a set are found together', (t) => {
  const known = new Set([...resources.flatMap(({ constraints, kept }) => [kept?.name, ...constraints.map(({ name }) => name)]), ...byRules, ...byState, ...unnamed, ...ofAccounts])
  const texts = globSync('src/{domain,resources}/**/*.sql', { cwd: new URL('../../../../', import.meta.url) }).map(file => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'))
  texts.push(...resources.flatMap(({ entity }) => entity.meta.triggers.map(trigger => String(Object(trigger).routine))))
  const raised = new Set(texts.flatMap(text => [...text.matchAll(/constraint = '(\w+)'(?! \|\|)/g)].map(([, name]) => name)))
  t.ok(raised.size > 60)
  t.strictSame([...raised].filter(name => !known.has(name)), [])
  t.ok(resources.flatMap(({ constraints }) => constraints).filter(({ raised }) => raised === true).every(({ name }) => name !== undefined), 'what only triggers check has the name of their constraint')
  t.end()
})
