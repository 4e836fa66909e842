import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { hostOf } from '../domain/webhooks/target.ts'
import { listened } from '../files/streams.ts'
import { tryRedis } from '../limits/redis.ts'
import { reasonOf } from './reason-of.ts'
import { isTraced, tracesEndpoint } from './tracing/wanted.ts'

/** A service that a variable names, and without which servers start and answer requests. */
interface OutsideService {
  variable: string
  /** What does not work without it. */
  loss: string
  /** Whether a server connects to it at its start anyway, and logs it if it cannot. */
  isConnectedAtStart: boolean
  /** @throws {Error} if the service cannot be used. Ends with the signal */
  attempt: (signal: AbortSignal) => Promise<void>
}

/** Time limit of an attempt in ms. */
const limit = 2000

/** The configured outside services. PostgreSQL, replicas and the store of files have attempts of their own. */
export function outsideServices (config: Config): OutsideService[] {
  const { REDIS_URL: redis, WEBHOOK_PROXY: proxy } = config
  const services: OutsideService[] = []
  if (redis !== undefined) {
    const attempt = async (signal: AbortSignal) => await tryRedis(redis, signal)
    services.push({ variable: 'REDIS_URL', loss: 'each process counts requests and log-ins separately', isConnectedAtStart: true, attempt })
  }
  if (proxy !== undefined) services.push(byTcp('WEBHOOK_PROXY', proxy, 'no webhooks are delivered'))
  if (isTraced(config)) {
    const { variable, url } = tracesEndpoint(config)
    services.push(byTcp(variable, url, 'traces are lost'))
  }
  return services
}

function byTcp (variable: string, url: string, loss: string): OutsideService {
  return { variable, loss, isConnectedAtStart: false, attempt: async signal => await tryConnection(new URL(url), signal) }
}

async function tryConnection (url: URL, signal: AbortSignal): Promise<void> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const socket = listened(connect({ host: hostOf(url), port }))
  try {
    await once(socket, 'connect', { signal })
  } finally {
    socket.destroy()
  }
}

/**
 * Tries a service for up to two seconds.
 * @returns one sentence with the variable and the reason, without passwords; undefined if the service can be used
 */
export async function outageOf ({ variable, loss, attempt }: OutsideService): Promise<string | undefined> {
  const signal = AbortSignal.timeout(limit)
  try {
    await attempt(signal)
    return undefined
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${limit / 1000} s` : reasonOf(error)
    return `the service of ${variable} cannot be used: ${reason}; meanwhile ${loss}`
  }
}

/** Logs a warning for each service that cannot be used. It runs beside the start of a server, which needs none of them. */
export async function logOutages (config: Config, log: Pick<FastifyBaseLogger, 'warn'>): Promise<void> {
  const untried = outsideServices(config).filter(({ isConnectedAtStart }) => !isConnectedAtStart)
  await Promise.all(untried.map(async (service) => {
    const outage = await outageOf(service)
    if (outage !== undefined) log.warn(outage)
  }))
}
