import { join } from 'node:path'
import autoload from '@fastify/autoload'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import auth from '../plugins/auth.ts'
import authorization from '../plugins/authorization.ts'
import connectionShares from '../plugins/connection-shares.ts'
import cors from '../plugins/cors.ts'
import database from '../plugins/database.ts'
import deprecation from '../plugins/deprecation.ts'
import drawings from '../plugins/drawings.ts'
import files from '../plugins/files.ts'
import exports from '../plugins/exports.ts'
import errors from '../plugins/errors.ts'
import health from '../plugins/health.ts'
import logIns from '../plugins/log-ins.ts'
import metrics from '../plugins/metrics.ts'
import negotiation from '../plugins/negotiation.ts'
import notFound from '../plugins/not-found.ts'
import openapi from '../plugins/openapi.ts'
import pageCache from '../plugins/page-cache.ts'
import purging from '../plugins/purging.ts'
import rateLimit from '../plugins/rate-limit.ts'
import redis from '../plugins/redis.ts'
import searchIndex from '../plugins/search-index.ts'
import sensible from '../plugins/sensible.ts'
import shedding from '../plugins/shedding.ts'
import sse from '../plugins/sse.ts'
import statistics from '../plugins/statistics.ts'
import tracing from '../plugins/tracing.ts'
import validation from '../plugins/validation.ts'
import watch from '../plugins/watch.ts'
import webhooks from '../plugins/webhooks.ts'
import type { AppOptions } from './server/app-options.ts'

/** The capabilities of the application, in the order of their hooks. */
const plugins: Array<FastifyPluginAsync<AppOptions>> = [
  metrics, tracing, database, redis, rateLimit, auth, connectionShares, shedding, cors, negotiation, errors, deprecation, health, logIns,
  authorization, drawings, exports, files, openapi, pageCache, purging, searchIndex, sensible, sse, statistics, validation, watch, webhooks,
  notFound
]

/** The application as a plugin: the capabilities, then the API in `routes/`, whose folders are URL paths. */
export default fp(async function obra (app: FastifyInstance, options: AppOptions) {
  for (const plugin of plugins) await app.register(plugin, options)
  await app.register(autoload, {
    dir: join(import.meta.dirname, '../routes'),
    routeParams: true,
    autoHooks: true,
    cascadeHooks: true,
    ignoreFilter: path => hidden(options.config).some(name => path.startsWith(`/${name}/`))
  })
  app.refuseOtherMethods()
}, { name: 'obra' })

/** Folders of `routes/` that this configuration disables. */
function hidden ({ DOCS, NODE_ENV }: AppOptions['config']): string[] {
  return [...DOCS === 'off' ? ['docs', 'openapi.json'] : [], ...NODE_ENV === 'production' ? ['example'] : []]
}
