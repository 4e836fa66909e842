import { Type } from '@sinclair/typebox'
import t from 'tap'
import manifest from '../../../package.json' with { type: 'json' }
import { migrations } from '../../../src/database/migrations/index.ts'
import { contracts } from '../../../src/domain/contracts/resource.ts'
import { Paged } from '../../../src/resources/declaration/list-schemas.ts'
import { build, buildOn, logIn } from '../../support/helper.ts'

const paths = ['contracts/?page_size=1', 'contracts/1/', 'contracts/1/tree/', 'contrapartes/?page_size=1']

t.test('a release that changes an answer invalidates its 304s, and no others', async (t) => {
  const { app, database } = await build(t)
  const before = await logIn(app, 'director@demo.example')
  const tags = await Promise.all(paths.map(async path => (await before.get(path)).headers['etag'] as string))
  const statuses = async (change: object) => {
    const original = { item: contracts.item, schemas: { ...contracts.schemas } }
    Object.assign(contracts, change)
    try {
      const { get } = await logIn(await buildOn(t, { ...database, close: async () => {} }), 'director@demo.example')
      return await Promise.all(paths.map(async (path, index) => (await get(path, { 'if-none-match': tags[index] })).statusCode))
    } finally {
      Object.assign(contracts, original)
    }
  }
  t.strictSame(await statuses({}), [304, 304, 304, 304], 'the same release')
  const { item, record } = contracts.schemas
  const more = { nuevo: Type.Optional(Type.String()) }
  const schemas = { ...contracts.schemas, page: Paged(Type.Object({ ...item.properties, ...more })), record: Type.Object({ ...record.properties, ...more }) }
  t.strictSame(await statuses({ schemas }), [200, 200, 304, 304], 'with a new field')
  t.strictSame(await statuses({ item: contracts.item.replace('t.monto,', 't.monto + 0 as monto,') }), [200, 200, 304, 304], 'with a field computed differently')

  const { version } = manifest
  manifest.version = '99.0.0'
  t.strictSame(await statuses({}), [200, 200, 200, 200], 'with another version')
  manifest.version = version
  const last = migrations.at(-1) as typeof migrations[number]
  migrations.push({ ...last, name: '99-later' })
  t.strictSame(await statuses({}), [200, 200, 200, 200], 'with a new migration')
  migrations.pop()
})
