import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Semaphore } from '../semaphore.ts'
import { longestWait } from '../turn.ts'
import { callerOf } from './caller.ts'

/** Hashes run on libuv's threads, four by default. One thread stays free for other work, and no caller takes all the others. */
const hashing = new Semaphore<string>({ name: 'password hashes', size: 3, perKey: 2 })

/** The request that computes a hash. As an argument, a future handler could forget it. */
const requests = new AsyncLocalStorage<FastifyRequest | undefined>()

/** Limits concurrent password hashing, in total and by caller. Register before routes. */
export function boundHashing (app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => requests.run(request, done))
}

/**
 * Runs work that computes hashes, as soon as the limits allow. Calls inside the work take no further slot. Work outside a request (the
 * command line) is not limited.
 * @throws {Crowded} if it has waited 10 s; errors of `work`
 */
export async function limitHashing<T> (work: () => Promise<T>): Promise<T> {
  const request = requests.getStore()
  if (request === undefined) return await work()
  return await hashing.run(callerOf(request), performance.now() + longestWait, async () => await requests.run(undefined, work))
}
