import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import type { FileStorage } from '../src/domain/adjuntos/destination.ts'
import { FolderPartials } from '../src/domain/adjuntos/folder-partials.ts'
import { incoming } from '../src/domain/adjuntos/folder-store.ts'
import { cleanFiles } from '../src/jobs/files/clean.ts'
import { runInBackground } from '../src/jobs/in-background.ts'
import { Transfers } from '../src/limits/transfers.ts'
import type { AppOptions } from '../src/server/app-options.ts'
import { openFileStore } from '../src/server/open-file-store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    files: FileStorage & {
      /** The origin to which downloads redirect, for the content policy of pages; undefined without a bucket. */
      origin: string | undefined
      /** Limits of requests that upload. */
      uploads: Transfers
      /** Limits of requests that download. Each takes some 100 kB until its client has read the file. */
      downloads: Transfers
    }
  }
}

/** Requests at once. */
const { uploadsOfUser, uploadsOfCustomer, downloadsOfUser, downloadsOfCustomer } = limits.files
const uploadLimits = { perUser: uploadsOfUser, perCustomer: uploadsOfCustomer, key: 'tooManyUploads' } as const
const downloadLimits = { perUser: downloadsOfUser, perCustomer: downloadsOfCustomer, key: 'tooManyDownloads' } as const

const hour = 60 * 60_000

/** Files of companies in the bucket of `FILES_URL` or in `DATA_DIR/files`, and the job that removes unused ones. */
export default fp(async function files (app: FastifyInstance, { config }: AppOptions) {
  const partials = new FolderPartials(join(config.DATA_DIR, 'files', incoming))
  const store = await openFileStore(config, app.log)
  app.addHook('onClose', async () => store.close())
  await store.check()
  const origin = await store.origin()

  app.decorate('files', {
    store,
    origin,
    partials,
    sql: app.database.sql,
    quota: config.FILES_QUOTA_MB * 1_000_000,
    uploads: new Transfers(uploadLimits),
    downloads: new Transfers(downloadLimits)
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
}, { name: 'files', dependencies: ['database', 'shedding', 'authorization'] })
