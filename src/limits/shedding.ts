import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isProbe, routeOf } from '../http/route.ts'
import { message, messages, type Language } from '../language/messages.ts'
import { refusals } from './refusals.ts'

/** Milliseconds by which timers come too late, on average, from which on the process has more to do than it can. */
const lateness = 100
const sampleInterval = 100

/** Requests that are worked on at once while there is too much to do. */
const atOnce = 4096

const answers = Object.fromEntries((Object.keys(messages) as Language[]).map(language =>
  [language, JSON.stringify({ detail: message(language, 'unavailable'), code: 'unavailable' })])) as Record<Language, string>

/**
 * Turns requests away before all wait too long: while the event loop lags, those that come when so many are being worked on. So what is
 * let in is answered in time, and there is always enough of it to keep the process busy. Who is turned away costs as little as can be:
 * no error is made, nobody is looked up, no line is logged. Probes are answered always (decision 23).
 */
export async function shedLoad (app: FastifyInstance): Promise<void> {
  const refused = refusals(app.log)
  let working = 0

  /** @returns what is answered at once, which the plugin's types do not have; undefined lets the request in */
  function turnAway (request: FastifyRequest, reply: FastifyReply): string | undefined {
    if (isProbe(routeOf(request))) return undefined
    if (working < atOnce) {
      working++
      reply.raw.once('close', () => { working-- })
      return undefined
    }
    refused()
    reply.code(503).header('retry-after', '1').type('application/json; charset=utf-8')
    return answers[request.messageLanguage()]
  }

  await app.register(underPressure, { maxEventLoopDelay: lateness, sampleInterval, pressureHandler: turnAway as FastifyUnderPressureOptions['pressureHandler'] })
}
