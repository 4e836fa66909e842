import fc from 'fast-check'
import t from 'tap'
import { isLoopbackAddress, isPublicAddress } from '../../../../src/domain/webhooks/addresses.ts'
import { targetPolicy, urlProblem } from '../../../../src/domain/webhooks/target.ts'
import type { MessageKey } from '../../../../src/http/messages.ts'

const production = targetPolicy({ NODE_ENV: 'production', WEBHOOK_PORTS: '443' })
const development = targetPolicy({ NODE_ENV: 'development', WEBHOOK_PORTS: '443' })

t.test('the policy follows the configuration', async (t) => {
  t.same([...production.ports], [443])
  t.same([...targetPolicy({ NODE_ENV: 'test', WEBHOOK_PORTS: '443, 8443' }).ports], [443, 8443])
  t.strictSame([production, development].map(({ loopback }) => loopback), [false, true])
})

t.test('public https receivers are allowed', async (t) => {
  const allowed = ['https://erp.example.com', 'https://erp.example.com:443/obra?token=a%20b', 'HTTPS://ERP.EXAMPLE.COM/', 'https://1.1.1.1/x', 'https://[2606:4700::1111]/',
    'https://construcción.example/año', 'https://a_b.example.com/', 'https://localhost.example.com/', 'https://127.0.0.1.example.com/', `https://a.mx/${'x'.repeat(2035)}`, `https://a.mx/${'x'.repeat(2029)}ñ`]
  for (const url of allowed) for (const policy of [production, development]) t.equal(urlProblem(url, policy), undefined, url)
})

t.test('each problem has its own message', async (t) => {
  const problems: Record<string, MessageKey> = {
    '': 'notUrl',
    'erp.example.com': 'notUrl',
    '/obra': 'notUrl',
    'https://': 'notUrl',
    'https:erp.example.com': 'notUrl',
    'https:///erp.example.com': 'notUrl',
    'https:\\\\erp.example.com': 'notUrl',
    'https://erp.example.com\\@10.0.0.1': 'notUrl',
    ' https://erp.example.com': 'notUrl',
    'https://erp.\texample.com': 'notUrl',
    'https://erp.example.com/\n': 'notUrl',
    'https://erp.example.com/\0': 'notUrl',
    'https://erp.example.com:65536': 'notUrl',
    'https://[fe80::1%25eth0]/': 'notUrl',
    [`https://a.mx/${'x'.repeat(2036)}`]: 'notUrl',
    [`https://a.mx/${'x'.repeat(2030)}ñ`]: 'notUrl',
    [`https://${'a'.repeat(2040)}`]: 'notUrl',
    'http://erp.example.com': 'urlScheme',
    'ftp://erp.example.com': 'urlScheme',
    'file:///etc/passwd': 'urlScheme',
    'data:text/plain,x': 'urlScheme',
    'https://user@erp.example.com': 'urlCredentials',
    'https://:password@erp.example.com': 'urlCredentials',
    'https://erp.example.com/#': 'urlFragment',
    'https://erp.example.com/#x': 'urlFragment',
    'https://10.0.0.1': 'urlAddress',
    'https://erp': 'urlAddress',
    'https://erp.example.com.': 'urlAddress',
    'https://a..example.com': 'urlAddress',
    'https://metadata.google.internal': 'urlAddress',
    'https://printer.local': 'urlAddress',
    'https://erp.example.com:8443': 'urlPort',
    'https://erp.example.com:80': 'urlPort'
  }
  for (const [url, problem] of Object.entries(problems)) for (const policy of [production, development]) t.equal(urlProblem(url, policy), problem, url)
})

t.test('loopback is allowed outside production only, on any port', async (t) => {
  for (const host of ['localhost', 'erp.localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '127.1', '2130706433', '0x7f000001', '[::1]', '[0:0::1]']) {
    for (const port of ['', ':80', ':3000']) {
      t.equal(urlProblem(`http://${host}${port}/`, development), undefined, host)
      t.equal(urlProblem(`https://${host}${port}/`, development), undefined, host)
      t.equal(urlProblem(`http://${host}${port}/`, production), 'urlScheme', host)
      t.equal(urlProblem(`https://${host}${port}/`, production), 'urlAddress', host)
    }
  }
  t.equal(urlProblem('http://user@localhost/', development), 'urlCredentials')
  for (const host of ['[::ffff:127.0.0.1]', '[::127.0.0.1]', '0.0.0.0', '[::]', 'localhost.', 'localhost.localdomain', '192.168.0.1', '169.254.169.254']) {
    t.equal(urlProblem(`https://${host}/`, development), 'urlAddress', host)
    t.equal(urlProblem(`http://${host}/`, development), 'urlScheme', host)
  }
})

t.test('the ports of the configuration are the allowed ones', async (t) => {
  const policy = targetPolicy({ NODE_ENV: 'production', WEBHOOK_PORTS: '8443' })
  t.equal(urlProblem('https://erp.example.com:8443/', policy), undefined)
  t.equal(urlProblem('https://erp.example.com/', policy), 'urlPort')
})

t.test('each network is refused from its first to its last address, and not beyond', async (t) => {
  const first = ['0.0.0.0', '10.0.0.0', '100.64.0.0', '127.0.0.0', '169.254.0.0', '172.16.0.0', '192.0.0.0', '192.0.2.0', '192.168.0.0', '198.18.0.0', '198.51.100.0', '203.0.113.0', '224.0.0.0', '240.0.0.0', '168.63.129.16']
  const last = ['0.255.255.255', '10.255.255.255', '100.127.255.255', '127.255.255.255', '169.254.255.255', '172.31.255.255', '192.0.0.255', '192.0.2.255', '192.168.255.255', '198.19.255.255', '198.51.100.255', '203.0.113.255', '239.255.255.255', '255.255.255.255']
  const six = ['::', '::1', '::7f00:1', '::ffff:8.8.8.8', '::ffff:0:808:808', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:1ff::1', '2001:db8::1', '2002:808:808::1', '2620:4f:8000::1', '3fff::1', '4000::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1']
  for (const address of [...first, ...last, ...six, '', 'erp.example.com', '1.1.1']) t.notOk(isPublicAddress(address), address)
  const beyond = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '2000::1', '2001:200::1', '2003::1', '2606:4700::1111', '3ffe::1']
  for (const address of beyond) t.ok(isPublicAddress(address), address)
})

t.test('an IPv6 address that contains an IPv4 address is neither public nor loopback', async (t) => {
  fc.assert(fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '0:0:0:0:0:ffff:', '::ffff:0:', '64:ff9b::'), (address, prefix) =>
    !isPublicAddress(`${prefix}${address}`) && (address === '0.0.0.1' || !isLoopbackAddress(`${prefix}${address}`))))
})

t.test('no text throws', async (t) => {
  const url = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), fc.string({ unit: 'grapheme' }).map(text => `https://${text}`))
  fc.assert(fc.property(url, url => { urlProblem(url, production) }))
})
