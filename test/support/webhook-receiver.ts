import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A delivery as a receiver gets it. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  json: { type: string, timestamp: string, data: any }
}

/** The answer of a receiver. */
export interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A receiver of webhooks on this machine. It answers 204, unless `answer` is changed. */
export interface Receiver {
  url: string
  /** All deliveries, including refused ones. */
  received: Received[]
  /** Waits for the delivery with this number, from 0. */
  nth: (number: number) => Promise<Received>
  /** Chooses the answer to a delivery. */
  answer: (received: Received) => Reply | Promise<Reply>
}

/** Starts a receiver, which is closed with the test. */
export async function startReceiver (t: Test): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const one = { headers: request.headers, body, json: JSON.parse(body) }
    received.push(one)
    for (const check of waiting) check()
    const { status = 204, headers = {}, body: text } = await receiver.answer(one)
    response.writeHead(status, headers).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    nth: async number => await new Promise((resolve) => {
      const check = () => {
        if (received.length <= number) return
        waiting.delete(check)
        resolve(received[number])
      }
      waiting.add(check)
      check()
    }),
    answer: () => ({})
  }
  return receiver
}
