import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { FileStorage } from '../src/domain/adjuntos/destination.ts'
import { FolderPartials } from '../src/domain/adjuntos/folder-partials.ts'
import { incoming } from '../src/domain/adjuntos/folder-store.ts'
import { httpError } from '../src/http/errors.ts'
import { cleanFiles } from '../src/jobs/files/clean.ts'
import { runInBackground } from '../src/jobs/in-background.ts'
import { callerOf, OpenCounts } from '../src/limits/caller.ts'
import type { AppOptions } from '../src/server/app-options.ts'
import { openFileStore } from '../src/server/open-file-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    files: FileStorage & {
      /** The origin to which downloads redirect, for the content policy of pages; undefined without a bucket. */
      origin: string | undefined
      /** Counts a request that uploads. @returns a function that ends it @throws {HttpError} 429 for a user or customer with too many */
      open: (request: FastifyRequest) => () => void
    }
  }
}

/** Requests that upload at once, of a user and of all users of a customer. */
const maxPerUser = 4
const maxPerCustomer = 16

/** Pause in seconds after a refused upload. */
const retryAfter = 5

const hour = 60 * 60_000

/** Files of companies in the bucket of `FILES_URL` or in `DATA_DIR/files`, and the job that removes unused ones. */
export default fp(async function files (app: FastifyInstance, { config }: AppOptions) {
  const partials = new FolderPartials(join(config.DATA_DIR, 'files', incoming))
  const store = await openFileStore(config, app.log)
  app.addHook('onClose', async () => store.close())
  await store.check()
  const origin = await store.origin()
  const ofUsers = new OpenCounts<number>(maxPerUser)
  const ofCustomers = new OpenCounts<string>(maxPerCustomer)

  app.decorate('files', {
    store,
    origin,
    partials,
    sql: app.database.sql,
    quota: config.FILES_QUOTA_MB * 1_000_000,
    open (request) {
      const { user } = request.caller
      const customer = callerOf(request)
      if (!ofUsers.hasRoom(user) || !ofCustomers.hasRoom(customer)) {
        throw httpError(429, { key: 'tooManyUploads', values: { wait: retryAfter }, headers: { 'retry-after': String(retryAfter) } })
      }
      ofUsers.add(user)
      ofCustomers.add(customer)
      // The client sends as slowly as it likes, up to the time limit of requests, and does not keep the process busy.
      request.beginWait()
      return () => {
        request.endWait()
        ofUsers.remove(user)
        ofCustomers.remove(customer)
      }
    }
  })

  // Spreads the first runs of processes that start together.
  runInBackground(app, 1000 + Math.random() * 4000, async (signal) => {
    try {
      const cleaned = await cleanFiles(app.database, { store, partials }, signal)
      if (Object.values(cleaned).some(count => count > 0)) app.log.info({ cleaned }, 'removed files that nothing uses')
      return hour
    } catch (error) {
      if (!signal.aborted) app.log.warn({ err: error }, 'the removal of unused files failed, next attempt in 5 minutes')
      return hour / 12
    }
  })
}, { name: 'files', dependencies: ['database', 'shedding', 'tenant'] })
