import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Access } from '../../src/auth/access.ts'
import { draftMigration } from '../../src/cli/draft-migration.ts'
import { companyRevisionOf } from '../../src/domain/entities/company-revision.ts'
import { companyResources, entities } from '../../src/domain/entities/index.ts'
import { list, retrieve } from '../../src/resources/reading/handlers.ts'
import { bulk, create, patch, remove, update } from '../../src/resources/writing/handlers.ts'
import { openCompared } from '../support/compared.ts'
import { buildWith } from '../support/extra-routes.ts'
import type { TestServer } from '../support/helper.ts'
import { children } from './resources.ts'
import type { Resource } from '../../src/resources/declaration/resource.ts'
import { load } from '../../src/database/schema/load.ts'
import type { Execute } from '../../src/database/schema/load-routines.ts'
import { declaredBy } from '../../src/database/schema/declared.ts'

/** Loads the functions and triggers of the service and of the children. */
async function loadInto (execute: Execute): Promise<void> {
  await load(execute, declaredBy([...entities, ...children.map(({ entity }) => entity)].map(({ meta }) => meta)))
}

/** The draft of `edificio make-migration` for the children. The database that it makes has no further differences. */
async function draft (t: Test): Promise<string[]> {
  const { orm, differencesWith } = await openCompared(t)
  const all = [...companyResources, ...children]
  const others = entities.filter(({ meta }) => meta.tableName !== 'company_revisions')
  const target = [...others, companyRevisionOf(all.map(({ name }) => name)), ...children.map(({ entity }) => entity)]
  const statements = draftMigration(await differencesWith(target), all)
  for (const statement of statements) await orm.em.execute(statement)
  await loadInto(async <R extends object>(sql: string) => await orm.em.execute<R[]>(sql))
  t.strictSame(await differencesWith(target), [], 'the draft makes the schema of the declarations')
  return statements
}

let drafted: Promise<string[]> | undefined

/** A server with the children: their tables by the draft, and their routes. */
export async function buildChildren (t: Test): Promise<TestServer> {
  const statements = await (drafted ??= draft(t))
  const server = await buildWith(t, (app) => {
    for (const resource of children) {
      app.register(async (app) => {
        app.addHook('onRequest', async (request, reply) => await app.authorize(request, reply, request.routeOptions.config.access as Access))
        addRoutes(app, resource)
      }, { prefix: `/api/v1/${resource.name}` })
    }
  })
  for (const statement of statements) await server.psql(statement)
  await loadInto(server.psql)
  for (const { entity } of children) server.database.orm.discoverEntity(entity)
  return server
}

function addRoutes (app: FastifyInstance, resource: Resource): void {
  app.get('/', list(resource))
  app.post('/', create(resource))
  app.post('/bulk/', bulk(resource))
  app.get('/:id/', retrieve(resource))
  app.put('/:id/', update(resource))
  app.patch('/:id/', patch(resource))
  app.delete('/:id/', remove(resource))
}
