import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { limits } from '../src/config/limits.ts'
import type { SigningConfig } from '../src/auth/signing-key.ts'
import { Semaphore } from '../src/database/turns/semaphore.ts'
import type { Sql } from '../src/database/connection/sql.ts'
import { maxWaitMs } from '../src/database/turns/crowded.ts'
import { Secrets } from '../src/domain/webhooks/secrets.ts'
import { targetPolicy, type TargetPolicy } from '../src/domain/webhooks/target.ts'
import { httpError, type HttpError } from '../src/http/errors.ts'
import { Deliverer } from '../src/jobs/webhooks/deliverer.ts'
import { sender, type Outcome, type Sender } from '../src/jobs/webhooks/send.ts'
import { OpenCounts } from '../src/limits/caller.ts'

declare module 'fastify' {
  interface FastifyInstance {
    webhooks: {
      /** Undefined in production without WEBHOOK_KEY. */
      secrets: Secrets | undefined
      targets: TargetPolicy
      /** Number of webhooks that this process delivers to now. */
      running: () => number
      /**
       * Runs a test of a webhook, one of each webhook and a few of a customer at the same time.
       * @param webhook names the webhook and its company, because the webhook of the id may be another company's
       * @param send its errors are passed on
       * @throws {Crowded}; {@link HttpError} 429, or 503 during a shutdown
       */
      ping: (customer: string, webhook: string, send: (sender: Sender, signal: AbortSignal) => Promise<Outcome>) => Promise<Outcome>
    }
  }
}

/** Time in ms for deliveries and tests in progress during a shutdown. Later ones are given up. */
const drainTime = 5000

/** Longest wait of a test for others, in ms. */
const testWait = limits.webhooks.testWaitMs

/** Limits of tests at the same time: of all customers, and of one customer. A silent receiver holds one for 15 s. */
const { tests: maxTests, testsOfCustomer: maxTestsOfCustomer, testsOfWebhook: maxTestsOfWebhook } = limits.webhooks

/** Seconds of `Retry-After` of a refused test. */
const testPause = 5

/** Webhooks: their secrets, the sender, and the deliverer, which runs while the server listens, unless WEBHOOKS is `off`. */
export default fp(async function webhooks (app: FastifyInstance, { config }: { config: SigningConfig }) {
  const { sql } = app.database
  const secrets = secretsOf(config)
  const sending = sender(config)
  const tests = new Semaphore<string>({ name: 'tests of webhooks', size: maxTests, perKey: maxTestsOfCustomer })
  const testsOfCustomers = new OpenCounts<string>(maxTestsOfCustomer)
  const testsOfWebhooks = new OpenCounts<string>(maxTestsOfWebhook)
  // Deliveries wait for connections here, not in front of requests, and companies take turns.
  const connections = new Semaphore<number>({ name: 'webhooks', size: limits.webhooks.connections, perKey: limits.webhooks.connections })
  async function onConnection<T> (company: number, work: () => Promise<T>): Promise<T> {
    return await connections.run(company, performance.now() + maxWaitMs, work)
  }
  const query: Sql['query'] = async statement => await onConnection(0, async () => await sql.query(statement))
  const within: Sql['within'] = async (companies, ...transaction) =>
    await onConnection(companies[0] ?? 0, async () => await sql.within(companies, ...transaction))
  const end = new AbortController()
  const isOn = config.WEBHOOKS !== 'off' && secrets !== undefined
  const deliverer = isOn ? new Deliverer(query, { within, sender: sending, secrets, signal: end.signal }, app.log) : undefined
  let timer: NodeJS.Timeout | undefined
  let stopped: Promise<void> | undefined

  app.decorate('webhooks', {
    secrets,
    targets: targetPolicy(config),
    running: () => deliverer?.running ?? 0,
    async ping (customer, webhook, send) {
      if (!testsOfWebhooks.hasRoom(webhook)) throw refused('testInProgress')
      if (!testsOfCustomers.hasRoom(customer)) throw refused('tooManyTests')
      testsOfWebhooks.add(webhook)
      testsOfCustomers.add(customer)
      try {
        return await tests.run(customer, performance.now() + testWait, async () => await send(sending, end.signal))
      } catch (error) {
        throw end.signal.aborted ? httpError(503) : error
      } finally {
        testsOfWebhooks.remove(webhook)
        testsOfCustomers.remove(customer)
      }
    }
  })
  app.addHook('onListen', (done) => {
    deliverer?.start()
    if (secrets === undefined) app.log.warn('without WEBHOOK_KEY, no webhooks are created or delivered')
    done()
  })
  app.addHook('preClose', (done) => {
    timer = setTimeout(() => end.abort(), drainTime)
    stopped = deliverer?.stop()
    done()
  })
  app.addHook('onClose', async () => {
    await stopped
    clearTimeout(timer)
    sending.close()
  })
}, { name: 'webhooks', dependencies: ['database'] })

function refused (key: 'testInProgress' | 'tooManyTests'): HttpError {
  return httpError(429, { key, values: { most: maxTestsOfCustomer, wait: testPause }, headers: { 'retry-after': String(testPause) } })
}

function secretsOf ({ NODE_ENV, WEBHOOK_KEY, WEBHOOK_KEY_PREVIOUS, JWT_SECRET, JWT_SECRET_PREVIOUS }: SigningConfig): Secrets | undefined {
  if (NODE_ENV === 'production' && WEBHOOK_KEY === undefined) return undefined
  const derived = NODE_ENV === 'production' ? [] : [JWT_SECRET, JWT_SECRET_PREVIOUS]
  return new Secrets(...[WEBHOOK_KEY, WEBHOOK_KEY_PREVIOUS, ...derived].filter(key => key !== undefined))
}
