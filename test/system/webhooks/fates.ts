import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../support/trial/random.ts'

/** What a receiver does with a request. */
export type Fate = keyof typeof fates

/** How a fate ends. It says when the receiver is done, because a client can send its next request right afterwards. */
interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  random: Random
  /** The time of the end is now. */
  done: () => void
  /** Resolves when a hanging request must end. */
  released: Promise<void>
}

function status (code: number, headers: Record<string, string> = {}, body = '') {
  return ({ response, done }: Exchange) => {
    done()
    response.writeHead(code, headers).end(body)
  }
}

/** Sends the head at once and the body byte by byte. */
function trickled (code: number, headers: Record<string, string> = {}) {
  return async ({ response, random, done }: Exchange) => {
    response.writeHead(code, headers)
    for (let byte = 0; byte < 5; byte++) {
      response.write('.')
      await sleep(random() * 60)
    }
    done()
    response.end()
  }
}

const soon = { 'retry-after': '0' }

/** Ways to accept a delivery. */
const accepting = {
  'no content': status(204),
  accepted: status(202, {}, 'queued'),
  'long body': status(200, {}, 'x'.repeat(50_000)),
  'slow body': trickled(200),
  'early hints': ({ response, done }: Exchange) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' })
    done()
    response.writeHead(204).end()
  },
  late: async ({ response, random, done }: Exchange) => {
    await sleep(random() * 300)
    done()
    response.writeHead(204).end()
  },
  closing: status(200, { connection: 'close' })
}

/** Ways to fail. */
const failing = {
  error: status(500),
  'error, soon': status(500, soon),
  'too many': status(429, { 'retry-after': '1' }),
  'too many, until a date': ({ response, done }: Exchange) => {
    done()
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 1000).toUTCString() }).end()
  },
  unavailable: status(503, soon),
  'not found': status(404, soon, 'no such page'),
  redirect: status(302, { location: '/elsewhere', ...soon }),
  'redirect of POST': status(307, { location: '/elsewhere', ...soon }),
  'not modified': status(304, soon),
  'slow error': trickled(502, soon),
  reset: ({ request, done }: Exchange) => {
    done()
    request.socket.resetAndDestroy()
  },
  closed: ({ request, done }: Exchange) => {
    done()
    request.socket.destroy()
  },
  'half a head': ({ request, done }: Exchange) => {
    request.socket.write('HTTP/1.1 200 OK\r\ncontent-le', () => {
      done()
      request.socket.destroy()
    })
  },
  hang: async ({ request, released, done }: Exchange) => {
    await released
    done()
    request.socket.destroy()
  }
}

/** All fates by name, and `gone`, which switches the webhook off. */
export const fates = { ...accepting, ...failing, gone: status(410) }

export const acceptingFates = Object.keys(accepting) as Fate[]
export const failingFates = Object.keys(failing) as Fate[]

/** Whether a fate is success for the sender. */
export function isAccepting (fate: Fate): boolean {
  return fate in accepting
}
