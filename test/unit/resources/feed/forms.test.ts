import { hash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { readTurn } from '../../../../src/database/turns/read-turn.ts'
import type { BatchQuery } from '../../../../src/database/turns/batch-requests.ts'
import { resources } from '../../../../src/domain/resources.ts'
import { changeFeed } from '../../../../src/resources/feed/feed.ts'
import { compareForms, printForms } from '../../../../src/resources/feed/forms.ts'
import { build } from '../../../support/helper.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'

type Feed = ReturnType<typeof changeFeed>
type Change = { resource: string, id: number, record?: Record<string, unknown>, deleted?: true }
type Page = { changes: Change[], cursor: string, has_more: boolean }

// A release whose contracts have another field.
const later = resources.map((resource): Resource => resource.name !== 'contracts' ? resource : { ...resource, stored: { ...resource.stored, json: resource.stored.json.replace('t.version', 't.version, null as nuevo') } })
const [before, after] = [changeFeed(resources), changeFeed(later)]
const digest = hash('sha1', JSON.stringify(resources.filter(({ feed }) => feed === 'always').map(({ name, stored }) => [name, stored.json])), 'base64url').slice(0, 6)
/** The cursor with another text for its forms. */
const withForms = (cursor: string, change: (forms: string) => string) => {
  const [forms, ...rest] = cursor.split('.') as [string, ...string[]]
  return [change(forms), ...rest].join('.')
}
/** The cursor as releases before forms of their own wrote it. */
const earlier = (cursor: string) => withForms(cursor, () => digest)
/** The cursor as releases with a separator between forms wrote it. */
const separated = (cursor: string) => withForms(cursor, forms => forms.includes('~') ? forms : (forms.match(/.{4}/g) ?? []).join('~'))

t.test('the form of records changes', async (t) => {
  const { as, database, psql } = await build(t)
  const director = await as('director@demo.example')
  const company = 1
  const turn = readTurn(database.sql)
  const read = async (feed: Feed, cursor?: string, size = 500): Promise<Page> => {
    const [{ revision, stamp }] = await psql('select revision, stamp from company_revisions where company_id = 1') as [{ revision: number, stamp: number }]
    // The statements of the releases have the same names.
    const named = (query: BatchQuery) => ({ ...query, name: `${query.name} ${feed === before}` })
    const tenant = { company, revision, stamp, read: async (query: BatchQuery, values: unknown[]) => await turn({ query: named(query), company, values }) }
    return JSON.parse((await feed.page(tenant, feed.cursorOf({ ...cursor !== undefined && { cursor } }, company), size)).body)
  }
  const readAll = async (feed: Feed, cursor?: string, size?: number): Promise<Page> => {
    const changes: Change[] = []
    for (let page: Page | undefined; page?.has_more !== false; cursor = page.cursor) {
      page = await read(feed, cursor, size)
      changes.push(...page.changes)
    }
    return { changes, cursor: cursor as string, has_more: false }
  }
  const kinds = ({ changes }: Page) => [...new Set(changes.map(({ resource }) => resource))]
  const contracts = (await psql('select id from contracts where company_id = 1 order by id')).map(({ id }) => id as number)
  const estimates = (await psql('select id from estimates where company_id = 1 order by id')).map(({ id }) => id as number)
  const ids = ({ changes }: Page, resource = 'contracts') => changes.filter(change => change.resource === resource).map(({ id }) => id)

  await t.test('only records of that resource are sent again, with the cursor', async (t) => {
    const { cursor } = await readAll(before)
    const [gone, other] = [(await director.post('contrapartes/', { nombre: 'Se va' })).json().id, (await director.post('contrapartes/', { nombre: 'Se queda' })).json().id]
    const first = await readAll(before, cursor)
    t.strictSame(ids(first, 'contrapartes'), [gone, other])
    await director.send('DELETE', `contrapartes/${gone}/`)
    for (const size of [1, 2, 500]) {
      const page = await readAll(after, first.cursor, size)
      t.strictSame(kinds(page), ['contracts', 'contrapartes'], 'then the changes follow')
      t.strictSame(ids(page), contracts)
      t.ok(page.changes.filter(({ resource }) => resource === 'contracts').every(({ record }) => record?.['nuevo'] === null))
      t.match(page.changes.at(-1), { resource: 'contrapartes', id: gone, deleted: true })
      t.strictSame((await read(after, page.cursor)).changes, [], 'once')
    }
  })

  await t.test('in the snapshot, only what the client has in the earlier form is sent again', async (t) => {
    for (let size = 1; ; size++) {
      const start = await read(before, undefined, size)
      if (!start.has_more) break
      const rest = await readAll(after, start.cursor)
      const [had, got] = [ids(start), ids(rest)]
      t.strictSame(got, contracts, `${size} records: ${had.length} contracts`)
      const counterparties = [...ids(start, 'contrapartes'), ...ids(rest, 'contrapartes')]
      t.strictSame(counterparties, [...new Set(counterparties)], 'no record twice')
      t.strictSame(new Set([...ids(start, 'estimates'), ...ids(rest, 'estimates')]), new Set(estimates))
    }
  })

  await t.test('within a revision, its entries come again', async (t) => {
    const { cursor } = await readAll(before)
    await psql("update contrapartes set notas = 'todas' where company_id = 1")
    const some = await read(before, cursor, 1)
    t.equal(some.has_more, true)
    const rest = await readAll(after, some.cursor)
    t.strictSame(new Set(ids(rest, 'contrapartes')).size, (await psql('select id from contrapartes where company_id = 1')).length)
  })

  await t.test('cursors of earlier releases continue', async (t) => {
    const { cursor } = await readAll(before)
    t.strictSame((await read(before, earlier(cursor))).changes, [])
    const start = await read(before, undefined, 5)
    t.strictSame((await readAll(before, earlier(start.cursor))).changes, (await readAll(before, start.cursor)).changes)
    t.strictSame(kinds(await readAll(after, earlier(cursor))), ['contrapartes', 'contracts', 'estimates'], 'its form is one of all resources')
  })

  await t.test('cursors with and without a separator between forms are the same', async (t) => {
    const { cursor } = await readAll(before)
    t.match(cursor, /^[\w-]{12}\./, 'no separator with all forms')
    for (const feed of [before, after]) t.strictSame(feed.cursorOf({ cursor: separated(cursor) }, company), feed.cursorOf({ cursor }, company))
    const start = await read(before, undefined, 5)
    t.match(start.cursor, /^[\w-]*(~[\w-]*){2}\./, 'a resource without records has no form')
    t.strictSame(kinds(await readAll(after, start.cursor)), kinds(await readAll(after, separated(start.cursor))))
  })

  await t.test('the forms of any resources are read as they are printed', async () => {
    const names = resources.map(({ name }) => name)
    fc.assert(fc.property(fc.subarray(names, { minLength: 1 }), fc.func(fc.boolean()), (wanted, has) => {
      const printed = printForms(wanted, has, resources)
      t.strictSame(compareForms(printed, wanted, undefined, resources), wanted.map(name => has(name)), printed)
    }))
  })

  await t.test('another resource of the release changes nothing', async (t) => {
    const { cursor } = await readAll(before)
    const [one] = resources
    const more = changeFeed([...resources, { ...one, name: 'otras', feed: 'named' }])
    t.same(more.cursorOf({ cursor }, company), before.cursorOf({ cursor }, company))
    t.same(more.cursorOf({ cursor: earlier(cursor) }, company), before.cursorOf({ cursor }, company))
    const named = changeFeed([...resources, { ...one, name: 'otras', feed: 'named' }]).cursorOf({ resources: ['otras', 'contracts'] }, company)
    t.strictSame(named.resources, ['contracts', 'otras'])
  })
})
