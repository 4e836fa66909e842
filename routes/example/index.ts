import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { exampleFiles } from '../../src/server/example-files.ts'
import { pageRoute, servePage } from '../../src/server/page.ts'

const { folder, files } = exampleFiles('site-app', {
  client: ['*.ts', 'sync/*.ts'],
  except: ['sync/file*.ts', 'sync/sqlite.ts'],
  packages: {
    'openapi-fetch.js': 'openapi-fetch',
    'dexie.js': 'dexie/dist/modern/dexie.mjs',
    'eventsource-parser.js': 'eventsource-parser'
  }
})

/** Names and hashes the files that the service worker keeps. The browser keeps the service worker itself. */
async function releaseScript (): Promise<string> {
  const kept = Object.entries(files).filter(([name]) => name !== 'service-worker.js')
  const hash = createHash('sha256')
  for (const path of [join(folder, 'index.html'), ...kept.map(([, path]) => path)]) hash.update(await readFile(path))
  return `self.release = ${JSON.stringify({ name: hash.digest('hex').slice(0, 16), files: ['./', ...kept.map(([name]) => name)] })}\n`
}

/** The example app for phones, outside production. */
export default async function exampleRoutes (app: FastifyInstance) {
  servePage(app, { folder, files, allowed: ["manifest-src 'self'", "worker-src 'self'"] })
  app.get('/release.js', pageRoute, async (_request, reply) => {
    reply.type('application/javascript; charset=utf-8').header('cache-control', 'no-cache')
    return await releaseScript()
  })
}
