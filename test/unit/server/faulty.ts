// A production server process with routes whose work fails where nothing catches it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { createReadStream } from 'node:fs'
import type { FastifyInstance } from 'fastify'

const outside = AsyncLocalStorage.snapshot()

const faults: Record<string, () => void> = {
  stream: () => { createReadStream('/no/such/file') },
  timer: () => { setTimeout(() => { throw new Error('of a timer') }) },
  rejection: () => { Promise.reject(new Error('of a promise')) },
  outside: () => outside(() => setTimeout(() => { throw new Error('of no request') }))
}

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.register(async (app) => {
    for (const [name, fault] of Object.entries(faults)) {
      app.route({
        url: `/faults/${name}`,
        method: ['GET', 'POST'],
        config: { access: 'public' },
        schema: { hide: true },
        handler: async ({ query }, { raw }) => {
          if ((query as { begun?: string }).begun !== undefined) raw.write('a part')
          fault()
          return await new Promise(() => {})
        }
      })
    }
  })
})

await import('./brief.ts')
