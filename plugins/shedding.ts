import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import { message, messages } from '../src/http/messages.ts'
import { inProgress } from '../src/http/slices.ts'
import { refusals } from '../src/limits/refusals.ts'
import { isProbe } from '../src/limits/caller.ts'
import { routeOf } from '../src/server/prepare-request.ts'
import { mapNames, namesIn } from '../src/http/names.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Begins a wait without work. The request does not count as in progress until {@link FastifyRequest.endWait}. */
    beginWait: () => void
    endWait: () => void
  }
}

/** Busy time of the event loop in ms after which the rate of answers is measured. */
const minimumWork = 200

/** Measures how fast a busy process answers. The pace is infinite until the first measurement. */
export class Pace {
  /** Answers since the last measurement. */
  answered = 0
  #since = performance.eventLoopUtilization()
  #perMillisecond = Infinity

  /** @returns the expected number of answers in so many ms of work */
  answersIn (milliseconds: number): number {
    const now = performance.eventLoopUtilization()
    const { active, utilization } = performance.eventLoopUtilization(now, this.#since)
    if (active >= minimumWork) {
      // A mostly idle process answers less than it could.
      if (utilization > 0.5) this.#perMillisecond = this.answered / active
      this.answered = 0
      this.#since = now
    }
    return this.#perMillisecond * milliseconds
  }
}

/** Event loop delay in ms from which the process is overloaded. */
const maxDelay = limits.overload.lagMs
const sampleInterval = 100

/** Time in ms that an admitted request may wait. It limits requests in progress to the number that the process answers in this time. */
const maxRequestMs = limits.overload.requestMs
/** Requests in progress that are always admitted, so that one slow request does not cause refusals. */
const alwaysAdmitted = limits.overload.requests

/** Pause in ms before reading from a connection that was answered 503. Sent as `Retry-After`. */
const refusalPause = limits.overload.pauseMs

const answers = mapNames(namesIn(messages), language => JSON.stringify({ detail: message(language, 'unavailable'), code: 'unavailable' }))

/**
 * Load shedding (decision 23): while the event loop lags, a request gets 503 if more than 500 are in progress, and more than the process
 * answers in one second. A refusal is cheap: no error, no warning per request, no query. Its connection is not read until `Retry-After` is
 * over. Health probes are always admitted.
 */
export default fp(async function shedding (app: FastifyInstance) {
  const refused = refusals(app.log)
  const pace = new Pace()

  /** @returns the body of a 503, which the types of under-pressure lack, or undefined to admit the request */
  function refuse (request: FastifyRequest, reply: FastifyReply): string | undefined {
    if (isProbe(routeOf(request))) return undefined
    if (inProgress.requests <= Math.max(alwaysAdmitted, pace.answersIn(maxRequestMs))) return undefined
    refused()
    const { raw } = request
    raw.once('close', () => { pauseSocket(raw.socket) })
    reply.code(503).header('retry-after', refusalPause / 1000).type('application/json; charset=utf-8')
    return answers[request.messageLanguage()]
  }

  app.decorateRequest('beginWait', () => { inProgress.requests-- })
  app.decorateRequest('endWait', () => { inProgress.requests++ })

  function onClose (this: ServerResponse): void {
    inProgress.requests--
    if (this.writableEnded && this.statusCode !== 503) pace.answered++
  }
  app.addHook('onRequest', (_request, { raw }, done) => {
    inProgress.requests++
    // Emitted once for each answer. Fastify runs no `onResponse` if the client has disconnected.
    raw.on('close', onClose)
    done()
  })
  const pressureHandler = refuse as FastifyUnderPressureOptions['pressureHandler'] // its type wants a reply of any server
  await app.register(underPressure, { maxEventLoopDelay: maxDelay, sampleInterval, pressureHandler })
}, { name: 'shedding', dependencies: ['tracing'] })

/** Stops reading from a connection for {@link refusalPause} ms. */
function pauseSocket (socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), refusalPause).unref()
}
