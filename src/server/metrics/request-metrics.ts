import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { routeOf } from '../prepare-request.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Label of requests without a route and of unknown methods. Clients can invent any number of these. */
const other = 'other'

/** Bucket bounds in seconds, from an answer out of memory to the longest statement. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/**
 * Counts requests by method, route pattern and status, and measures their duration from the headers until the answer is passed to the
 * operating system. Labels contain only routes, their methods and their statuses, so clients cannot create series.
 */
export function countRequests (app: FastifyInstance, registry: Registry): void {
  const registers = [registry]
  const durations = new Histogram({
    name: 'obra_http_request_duration_seconds',
    help: 'Request duration by method, route pattern and status; status `aborted` if the client disconnected.',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds,
    registers
  })
  const preconditions = new Counter({
    name: 'obra_http_preconditions_failed_total',
    help: 'Requests answered with 412 because the record had changed.',
    registers
  })
  let inFlight = 0
  registry.registerMetric(new Gauge({
    name: 'obra_http_requests_in_flight',
    help: 'Requests in progress.',
    registers: [],
    collect () { this.set(inFlight) }
  }))

  // Cached, because prom-client looks up and checks labels at each use.
  const timers = new Map<string, Map<string, (value: number) => void>>()
  function timer (request: FastifyRequest, status: string) {
    const route = routeOf(request) ?? other
    const method = methods.has(request.method) ? request.method : other
    let ofRoute = timers.get(route)
    if (ofRoute === undefined) timers.set(route, ofRoute = new Map())
    const key = method + status
    const known = ofRoute.get(key)
    if (known !== undefined) return known
    const { observe } = durations.labels({ method, route, status })
    ofRoute.set(key, observe)
    return observe
  }

  app.addHook('onRequest', (request, { raw }, done) => {
    const started = performance.now()
    inFlight++
    // Emitted once for each answer, even if the client has disconnected.
    raw.on('close', () => {
      inFlight--
      timer(request, raw.writableEnded ? String(raw.statusCode) : 'aborted')((performance.now() - started) / 1000)
      if (raw.statusCode === 412) preconditions.inc()
    })
    done()
  })
}
