import t from 'tap'
import type { DeliveryCursor } from '../../../../src/jobs/webhooks/cursor.ts'
import { pendingOf, pendingStatement, type Change } from '../../../../src/jobs/webhooks/pending.ts'
import { build } from '../../../support/helper.ts'

const { as, psql, database } = await build(t)
const director = await as('director@demo.example')

let opened = 0

/** A new webhook, and reads of its next changes. */
async function open (fields: object) {
  const { id } = (await director.post('webhooks/', { url: `https://erp.obra.example/${++opened}`, ...fields })).json()
  let [{ revision, position }] = await psql('select revision, position from webhook_cursors where webhook_id = $1', [id]) as [DeliveryCursor]
  return {
    /** Reads a page, and moves the cursor. */
    async next (): Promise<Change[]> {
      const cursor = { revision, position }
      const [rows] = await database.sql.within([1], 'read only', [pendingStatement(id, 1, cursor)])
      const pending = pendingOf(rows ?? [], cursor)
      if (pending === undefined) throw new Error('no webhook')
      ;({ revision, position } = pending.after())
      return pending.changes
    },
    isAtEnd: () => position.horizon === null,
    /** Lets days pass since the window was opened. */
    age (days: number): void {
      position = { ...position, opened: new Date(Date.parse(position.opened as string) - days * 86_400_000).toISOString() }
    }
  }
}

const summary = ({ type, record }: Change) => [type, JSON.parse(record ?? '{}').folio, JSON.parse(record ?? '{}').version]

t.test('a revision with thousands of records is read in parts, each record once', async (t) => {
  const webhook = await open({ batch: 100, events: ['contracts.created'] })
  await psql("insert into contracts (company_id, folio, external_id) select 1, 'M-' || n, 'm' || n from generate_series(1, 2500) n")
  const found: Change[] = []
  do found.push(...await webhook.next()); while (!webhook.isAtEnd())
  t.strictSame(found.map(({ record }) => JSON.parse(record as string).folio), Array.from({ length: 2500 }, (_, n) => `M-${n + 1}`))
  t.strictSame([await webhook.next(), webhook.isAtEnd()], [[], true])
})

t.test('entries of other events are passed, also thousands of them', async (t) => {
  const webhook = await open({ events: ['contracts.deleted'] })
  await psql("update contracts set descripcion = 'x' where company_id = 1 and folio like 'M-%'")
  await psql("delete from contracts where company_id = 1 and folio = 'M-7'")
  const found: Change[] = []
  do found.push(...await webhook.next()); while (!webhook.isAtEnd())
  t.strictSame(found.map(({ type, record }) => [type, record]), [['contracts.deleted', null]])
})

t.test('changes after the horizon of a window wait for the next one, and nothing is created twice', async (t) => {
  const webhook = await open({})
  const created = await open({ events: ['contracts.created'] })
  for (const folio of ['H-1', 'H-2', 'H-3']) await director.post('contracts/', { folio })
  const change = async (folio: string) => await psql('update contracts set monto = monto + 1 where company_id = 1 and folio = $1', [folio])
  await change('H-1')
  // In the log: H-1, H-2 and H-3 created, H-1 updated.
  t.strictSame((await webhook.next()).map(summary), [['contracts.created', 'H-2', 1]])
  await change('H-2')
  await change('H-3')
  await psql("delete from contracts where company_id = 1 and folio = 'H-1'")
  const found: unknown[] = []
  do found.push(...(await webhook.next()).map(summary)); while (!webhook.isAtEnd())
  t.strictSame(found, [['contracts.created', 'H-3', 2]], 'the deleted one has nothing to create')
  do found.push(...(await webhook.next()).map(summary)); while (!webhook.isAtEnd())
  t.strictSame(found.slice(1), [['contracts.updated', 'H-2', 2], ['contracts.updated', 'H-3', 2], ['contracts.deleted', undefined, undefined]])

  const alone: unknown[] = []
  do alone.push(...(await created.next()).map(summary)); while (!created.isAtEnd())
  t.strictSame(alone, [['contracts.created', 'H-2', 2], ['contracts.created', 'H-3', 2]], 'a subscriber of creations gets each once, in its latest state')
})

t.test('a window that is older than the purge allows is opened again, and no creation is lost', async (t) => {
  const found: unknown[] = []
  const webhook = await open({ events: ['contracts.created'] })
  for (const folio of ['V-1', 'V-2']) await director.post('contracts/', { folio })
  found.push(...(await webhook.next()).map(summary))
  await psql("update contracts set monto = monto + 1 where company_id = 1 and folio = 'V-2'")
  // The purge removes entries with a later one.
  await psql("delete from changes c using contracts t where t.folio = 'V-2' and c.company_id = 1 and c.resource = 'contracts' and c.record_id = t.id and c.operation = 'insert'")
  webhook.age(7)
  do found.push(...(await webhook.next()).map(summary)); while (!webhook.isAtEnd())
  t.strictSame(found, [['contracts.created', 'V-1', 1], ['contracts.created', 'V-2', 2]])
})

t.test('a record whose id was drawn before those of other writers, and committed after them, is created', async (t) => {
  const webhook = await open({ batch: 100, events: ['contracts.created', 'contracts.updated'] })
  await psql("insert into contracts (company_id, folio) values (1, 'D-1'), (1, 'D-3')")
  const [{ id }] = await psql("select max(id) - 1 as id from contracts where folio in ('D-1', 'D-3')") as [{ id: number }]
  await psql("delete from contracts where company_id = 1 and folio = 'D-1'")
  t.match((await webhook.next()).map(summary), [['contracts.created', 'D-3', 1]])
  await psql("insert into contracts (id, company_id, folio) values ($1, 1, 'D-2')", [id])
  await psql("update contracts set monto = monto + 1 where folio in ('D-2', 'D-3')")
  t.strictSame((await webhook.next()).map(summary), [['contracts.created', 'D-2', 2], ['contracts.updated', 'D-3', 2]])
  await psql("update contracts set monto = monto + 1 where folio = 'D-2'")
  t.strictSame((await webhook.next()).map(summary), [['contracts.updated', 'D-2', 3]])
})

t.test('a window that is opened again knows the creations since its start', async (t) => {
  const [{ id }] = await psql("select nextval(pg_get_serial_sequence('contracts', 'id')) as id") as [{ id: number }]
  await psql("insert into contracts (company_id, folio) values (1, 'R-1')")
  const webhook = await open({ events: ['contracts.created'] })
  await psql("insert into contracts (id, company_id, folio) values ($1, 1, 'R-2')", [id])
  await psql("insert into contracts (company_id, folio) values (1, 'R-3')")
  await psql("update contracts set monto = monto + 1 where folio = 'R-2'")
  t.strictSame((await webhook.next()).map(summary), [['contracts.created', 'R-3', 1]])
  webhook.age(7)
  t.strictSame((await webhook.next()).map(summary), [['contracts.created', 'R-2', 2]])
})
