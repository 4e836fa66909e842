import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { faultOf, pipelined, statusesOf, sendRaw } from './raw.ts'

/** Result of sending requests with mutated framing over sockets. */
export interface FramingResult {
  /** How many were sent. Sending stops at the first failure. */
  sent: number
  /** Number of answers by status. */
  statuses: Map<number, number>
  /** At most one failure, reduced to the smallest bytes and pieces that cause it. */
  found: string[]
}

/** Bytes, and the offsets at which they are cut into pieces. */
interface RawRequest {
  bytes: Buffer
  cuts: number[]
}

const host = 'Host: obra.example\r\n'
const post = `POST /api/v1/api-token-auth/ HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
const whole = [
  `GET /health/live/ HTTP/1.1\r\n${host}\r\n`,
  `GET /api/v1/contracts/?page=1 HTTP/1.1\r\n${host}Authorization: Bearer x.y.z\r\nAccept: application/json\r\n\r\n`,
  `${post}Content-Length: 2\r\n\r\n{}`,
  `${post}Content-Length: 47\r\n\r\n{"email":"a@b.mx","password":5,"x":"\\u0000\\ud800"}`.replace('47', '51'),
  `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{"\r\n5;x=y\r\na":1}\r\n0\r\n\r\n`,
  `${post}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2\r\n{}\r\n0\r\nX: y\r\n\r\n`,
  `OPTIONS /api/v1/contracts/ HTTP/1.1\r\n${host}Origin: https://elsewhere.example\r\n\r\n`,
  `GET /nowhere/ HTTP/1.0\r\n${host}Connection: keep-alive\r\n\r\n`
]
const pieces = ['\r\n', '\n', '\r', '\0', ' ', '\t', ':', '0\r\n\r\n', 'ffffffffffffffff\r\n', 'Content-Length: 3\r\n', 'Content-Length: -1\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: \x0bchunked\r\n', 'Connection: close\r\n', 'Upgrade: h2c\r\nConnection: Upgrade\r\n', 'HTTP/1.1', '\xff\xfe', 'x'.repeat(70_000)]

type Change = (bytes: Buffer) => Buffer
const place = fc.double({ min: 0, max: 0.999_999, noNaN: true })
const put = (bytes: Buffer, from: number, to: number, middle: Uint8Array) => Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)])
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(([where, bit]): Change => bytes => put(bytes, at(bytes, where), at(bytes, where) + 1, Buffer.from([(bytes[at(bytes, where)] ?? 0) ^ (1 << bit)]))),
  fc.tuple(place, fc.constantFrom(...pieces)).map(([where, piece]): Change => bytes => put(bytes, at(bytes, where), at(bytes, where), Buffer.from(piece, 'latin1'))),
  fc.tuple(place, fc.nat(20)).map(([where, length]): Change => bytes => put(bytes, at(bytes, where), at(bytes, where) + length, Buffer.alloc(0))),
  fc.tuple(place, place).map(([where, from]): Change => bytes => put(bytes, at(bytes, where), at(bytes, where), bytes.subarray(at(bytes, from), at(bytes, from) + 40)))
)

function at (bytes: Buffer, where: number): number {
  return Math.floor(bytes.length * where)
}

/** Pipelined valid requests with random mutations, cut into a few pieces or into single bytes. */
const mutatedRequests: fc.Arbitrary<RawRequest> = fc.tuple(
  fc.array(fc.constantFrom(...whole), { minLength: 1, maxLength: 3 }),
  fc.array(change, { maxLength: 3 }),
  fc.oneof(fc.array(place, { maxLength: 4 }), fc.constant('every'))
).map(([requests, changes, where]) => {
  const bytes = changes.reduce<Buffer>((bytes, change) => change(bytes), Buffer.from(requests.join(''), 'latin1'))
  return { bytes, cuts: where === 'every' ? Array.from({ length: Math.min(bytes.length, 400) }, (_, index) => index) : where.map(one => at(bytes, one)).sort((a, b) => a - b) }
})

const patience = 5000

/**
 * Sends random requests with mutated framing, each whole and in pieces. The same `seed` sends the same requests.
 * @param app a listening server
 * @param limit time limit in ms; it is a failure if not all requests were sent by then
 */
export async function fuzzFraming (app: FastifyInstance, times: number, seed: number, limit = 10 * 60_000): Promise<FramingResult> {
  const statuses = new Map<number, number>()
  let fault = ''
  const { counterexample, interrupted, numRuns: sent } = await fc.check(fc.asyncProperty(mutatedRequests, async ({ bytes, cuts }) => {
    const [inPieces, atOnce] = [await inTime(sendRaw(app, bytes, cuts)), await inTime(sendRaw(app, bytes))]
    const wrong = inPieces === undefined || atOnce === undefined ? `still open after ${patience} ms` : faultOf(inPieces) ?? faultOf(atOnce) ?? differ(statusesOf(inPieces), statusesOf(atOnce))
    for (const status of statusesOf(inPieces ?? '')) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (wrong !== undefined) fault = wrong
    return wrong === undefined
  }), { seed, numRuns: times, interruptAfterTimeLimit: limit })
  const found = counterexample === null ? [] : [`seed ${seed}: ${fault}: ${JSON.stringify(counterexample[0].bytes.toString('latin1')).slice(0, 1000)} cut at ${counterexample[0].cuts.slice(0, 20).join()}`]
  if (counterexample === null && interrupted) found.push(`seed ${seed}: only ${sent} of ${times} could be sent in ${limit} ms`)
  if (statusesOf(await sendRaw(app, pipelined)).join() !== '200,400,404') found.push(`seed ${seed}: valid requests are answered differently afterwards`)
  return { sent, statuses, found }
}

/** Compares the statuses of both answers. When the server closes the connection, the client can lose the last answer. */
function differ (inPieces: number[], atOnce: number[]): string | undefined {
  const common = Math.min(inPieces.length, atOnce.length)
  return inPieces.slice(0, common).join() === atOnce.slice(0, common).join() ? undefined : `${inPieces.join()} in pieces, ${atOnce.join()} whole`
}

async function inTime (answer: Promise<string>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => { timer = setTimeout(() => resolve(undefined), patience) })
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
