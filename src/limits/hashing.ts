import type { FastifyRequest } from 'fastify'
import { limits } from '../config/limits.ts'
import { Semaphore } from '../database/turns/semaphore.ts'
import { maxWaitMs } from '../database/turns/crowded.ts'
import { callerOf } from './caller.ts'

/** Hashes run on libuv's threads, four by default. One thread stays free for other work, and one caller can use two. */
const hashing = new Semaphore<string>({ name: 'password hashes', size: limits.rates.hashes, perKey: limits.rates.hashesOfCaller })

/**
 * Runs work that computes password hashes as soon as the total limit and the caller's limit allow.
 * @throws {Crowded} after a wait of 10 s; errors of `work`
 */
export async function limitHashing<T> (request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  return await hashing.run(callerOf(request), performance.now() + maxWaitMs, work)
}
