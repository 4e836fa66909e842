import { demoPassword } from '../../../src/domain/demo/data.ts'
import { Device } from '../../support/device.ts'
import type { Answer } from '../kernel/client.ts'
import type { RequestOptions, Balancer } from './balancer.ts'

/** A client of a trial: the steps that it repeats until the trial is over. */
export interface Scenario {
  name: string
  step: () => Promise<void>
  /** Completed steps. */
  steps: number
}

/** A device, which at the end must have the state of its company. */
export interface DeviceScenario extends Scenario {
  device: Device
  company: number
}

/** A wrong answer. */
class Wrong extends Error {}

function expect (isRight: boolean, what: string, { status, text }: Pick<Answer, 'status' | 'text'>): asserts isRight {
  if (!isRight) throw new Wrong(`${what}: ${status} ${text.slice(0, 300)}`)
}

/** Logs in, refreshes on another server, repeats the refresh, and ends the session, which no server accepts afterwards. */
export function session (balancer: Balancer, email: string): Scenario {
  return {
    name: 'sessions',
    steps: 0,
    async step () {
      const [first, other] = balancer.pair()
      const opened = await balancer.send('api-token-auth/', { method: 'POST', body: { email, password: demoPassword }, to: first })
      expect(opened.status === 200, 'log-in', opened)
      const { access, refresh } = opened.body
      const options: RequestOptions = { method: 'POST', token: access, body: { refresh } }
      const rotated = await balancer.send('api-token-refresh/', { ...options, to: other })
      expect(rotated.status === 200, 'refresh', rotated)
      const again = await balancer.send('api-token-refresh/', { ...options, to: first })
      expect(again.status === 200 && again.body.refresh === rotated.body.refresh, 'repeated refresh', again)
      const token = rotated.body.access
      const me = await balancer.send('me/', { token, to: first })
      expect(me.status === 200 && me.body.email === email, 'me', me)
      const revoked = await balancer.send('api-token-revoke/', { method: 'POST', token, body: { refresh: rotated.body.refresh }, to: other })
      expect(revoked.status < 300, 'revoke', revoked)
      for (const to of balancer.servers) {
        const refused = await balancer.send('me/', { token, to })
        expect(refused.status === 401, 'ended session', refused)
      }
    }
  }
}

/** A device that waits for changes of a company in which nothing changes, and ones that the shutdown of its server ends. */
export function waiting (balancer: Balancer, token: string, company: number): DeviceScenario {
  const copy: Device = new Device(async url => await fetchFeed(balancer, url, token, copy.revision === undefined ? {} : { prefer: 'wait=3' }))
  return { name: 'waits', steps: 0, company, device: copy, step: async () => { await copy.step() } }
}

async function fetchFeed (balancer: Balancer, url: string, token: string, headers: Record<string, string> = {}) {
  const { status, body } = await balancer.send(url, { token, headers })
  return { statusCode: status, json: () => body }
}
