import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { type Language, message, messages } from '../src/http/messages.ts'
import { refusals } from '../src/limits/refusals.ts'
import { isProbe, routeOf } from '../src/server/requests.ts'

/** Milliseconds of work from which the pace of answers is known. */
const measured = 200

/** How fast the process answers while it is busy; until that is known, as fast as one likes. */
export class Pace {
  /** Answers since it was last measured. */
  answered = 0
  #since = performance.eventLoopUtilization()
  #perMillisecond = Infinity

  /** @returns how many answers so many milliseconds of work bring */
  answersIn (milliseconds: number): number {
    const now = performance.eventLoopUtilization()
    const { active, utilization } = performance.eventLoopUtilization(now, this.#since)
    if (active >= measured) {
      // What little is done in a quiet night says nothing of how much can be.
      if (utilization > 0.5) this.#perMillisecond = this.answered / active
      this.answered = 0
      this.#since = now
    }
    return this.#perMillisecond * milliseconds
  }
}

/** Average delay of timers in ms from which on the process is overloaded. */
const lateness = 100
const sampleInterval = 100

/** Milliseconds that an admitted request may wait: as many requests are in progress at once as the process answers in this time. */
const wait = 1000
/** This many requests in progress are always admitted, so that one slow request does not cause others to be refused. */
const fewest = 500

/** Milliseconds before the next request of a refused connection is read, as its `Retry-After` says. */
const rest = 1000

const answers = Object.fromEntries((Object.keys(messages) as Language[]).map(language =>
  [language, JSON.stringify({ detail: message(language, 'unavailable'), code: 'unavailable' })])) as Record<Language, string>

/**
 * Load shedding (decision 23): while the event loop lags, a request gets 503 if more are in progress than the process answers in a second.
 * So admitted requests are answered in time. A refused request costs little: no error, no log line, no query, and its connection is not
 * read until `Retry-After` is over. Health probes are always admitted.
 */
export default fp(async function shedding (app: FastifyInstance) {
  const refused = refusals(app.log)
  const pace = new Pace()
  let working = 0

  /** @returns the answer that refuses the request, which the types of under-pressure lack; undefined admits it */
  function refuse (request: FastifyRequest, reply: FastifyReply): string | undefined {
    if (isProbe(routeOf(request))) return undefined
    if (working <= Math.max(fewest, pace.answersIn(wait))) return undefined
    refused()
    const { raw } = request
    raw.once('close', () => { pauseSocket(raw.socket) })
    reply.code(503).header('retry-after', rest / 1000).type('application/json; charset=utf-8')
    return answers[request.messageLanguage()]
  }

  app.addHook('onRequest', (_request, { raw }, done) => {
    working++
    // `close` comes once for every answer. Fastify runs no `onResponse` if the client has disconnected.
    raw.once('close', () => {
      working--
      if (raw.writableEnded && raw.statusCode !== 503) pace.answered++
    })
    done()
  })
  await app.register(underPressure, { maxEventLoopDelay: lateness, sampleInterval, pressureHandler: refuse as FastifyUnderPressureOptions['pressureHandler'] })
}, { name: 'shedding', dependencies: ['tracing'] })

/** Stops reading from a connection for a while. */
function pauseSocket (socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), rest).unref()
}
