import t from 'tap'
import { addressName, addressOf } from '../../../src/limits/caller.ts'
import { build } from '../../support/helper.ts'

const from = (ip: string) => ({ ip, socket: { remoteAddress: '10.0.0.1' } }) as Parameters<typeof addressOf>[0]

t.test('the address of a client is an address, or else that of the proxy', async (t) => {
  const addresses = {
    '203.0.113.7': '203.0.113.7',
    '203.0.113.7:51000': '203.0.113.7',
    '2001:db8::7': '2001:db8::7',
    '[2001:db8::7]:51000': '2001:db8::7',
    '::ffff:203.0.113.7': '::ffff:203.0.113.7'
  }
  for (const [ip, address] of Object.entries(addresses)) t.equal(addressOf(from(ip)), address, ip)
  for (const ip of ['', 'unknown', '_hidden', '203.0.113', '203.0.113.999', '203.0.113.7:', '203.0.113.7:x', '[2001:db8::7]', '2001:db8::7::', "' or 1", 'x'.repeat(5000)]) t.equal(addressOf(from(ip)), '10.0.0.1', ip)
  t.equal(addressName(from('2001:db8:1:2:3:4:5:6')), addressName(from('[2001:db8:1:2::1]:443')), 'one network is one client')
})

t.test('a client behind a trusted proxy cannot choose its address', async (t) => {
  for (const TRUST_PROXY of ['1', '127.0.0.1']) {
    const { app } = await build(t, { TRUST_PROXY, LOGIN_ATTEMPTS_PER_ADDRESS: 2, LOG_LEVEL: 'silent' })
    // The proxy appends the address that it sees.
    const attempt = async (forged: string, seen: string) => (await app.inject({
      method: 'POST', url: '/api/v1/api-token-auth/', payload: { email: 'nobody@demo.example', password: 'x' }, headers: { 'x-forwarded-for': `${forged}, ${seen}` }
    })).statusCode
    const statuses = []
    for (const forged of ['198.51.100.1', '198.51.100.2', 'unknown', '127.0.0.1']) statuses.push(await attempt(forged, '203.0.113.7:1234'))
    t.strictSame(statuses, [401, 401, 429, 429], `TRUST_PROXY=${TRUST_PROXY}: the leftmost address does not count`)
    t.equal(await attempt('198.51.100.1', '203.0.113.8'), 401, 'another client')
  }
})
