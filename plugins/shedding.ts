import type { Socket } from 'node:net'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isProbe, routeOf } from '../src/http/route.ts'
import { message, messages, type Language } from '../src/http/messages.ts'
import { Pace } from '../src/limits/pace.ts'
import { refusals } from '../src/limits/refusals.ts'

/** Milliseconds by which timers come too late, on average, from which on the process has more to do than it can. */
const lateness = 100
const sampleInterval = 100

/** Milliseconds that who is let in may have to wait: as many requests are worked on at once as are answered in that time. */
const wait = 1000
/** Fewer are no crowd, however slow the last of them was: one large request must not have others turned away. */
const fewest = 500

/** Milliseconds that who was turned away is not listened to: what `Retry-After` has asked for. */
const rest = 1000

const answers = Object.fromEntries((Object.keys(messages) as Language[]).map(language =>
  [language, JSON.stringify({ detail: message(language, 'unavailable'), code: 'unavailable' })])) as Record<Language, string>

/**
 * Turns requests away before all wait too long: while the event loop lags, those that come when as many are being worked on as it answers
 * in a second. So what is let in is answered in time, and there is always enough of it to keep the process busy. Who is turned away costs
 * as little as can be: no error is made, nobody is looked up, no line is logged, and the next request of the connection is not read before
 * `Retry-After` is over. Probes are answered always (decision 23).
 */
export async function shedLoad (app: FastifyInstance): Promise<void> {
  const refused = refusals(app.log)
  const pace = new Pace()
  let working = 0

  /** @returns what is answered at once, which the plugin's types do not have; undefined lets the request in */
  function turnAway (request: FastifyRequest, reply: FastifyReply): string | undefined {
    if (isProbe(routeOf(request))) return undefined
    if (working <= Math.max(fewest, pace.answersIn(wait))) return undefined
    refused()
    const { raw } = request
    raw.once('close', () => { letRest(raw.socket) })
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
  await app.register(underPressure, { maxEventLoopDelay: lateness, sampleInterval, pressureHandler: turnAway as FastifyUnderPressureOptions['pressureHandler'] })
}

/** Leaves what a connection sends next where it is. */
function letRest (socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.resume(), rest).unref()
}
