import t from 'tap'
import { Webhook } from 'standardwebhooks'
import { newSecret, rotated, Secrets, signatures, type SigningSecret } from '../../../../src/domain/webhooks/secrets.ts'

const hour = 3_600_000

t.test('secrets are sealed, and open only with a key that sealed them', async (t) => {
  const before = new Secrets('the former key')
  const after = new Secrets('the present key', 'the former key')
  const secrets = [{ secret: newSecret(), until: null }]
  const sealed = before.seal(secrets)
  t.not(sealed, before.seal(secrets), 'never the same twice')
  t.strictSame(after.open(sealed), secrets)
  t.equal(before.open(after.seal(secrets)), undefined)
  const bytes = Buffer.from(sealed, 'base64')
  bytes[bytes.length - 1] = bytes[bytes.length - 1] ^ 1
  t.equal(before.open(bytes.toString('base64')), undefined, 'a changed text does not open')
})

t.test('the package standardwebhooks verifies the signatures, during a rotation with both secrets', async (t) => {
  const now = Date.now()
  const first: SigningSecret[] = [{ secret: newSecret(), until: null }]
  const second = rotated(first, now)
  const seconds = Math.floor(now / 1000)
  const headers = (secrets: SigningSecret[], at = seconds) => ({ 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signatures(secrets, 'msg_1', at, '{"a":1}') })
  const [old, current] = second.map(({ secret }) => new Webhook(secret)) as [Webhook, Webhook]
  for (const verifier of [old, current]) t.strictSame(verifier.verify('{"a":1}', headers(second)), { a: 1 })
  t.throws(() => current.verify('{"a":1}', headers(first)), { message: /signature/ })
  t.throws(() => current.verify('{"a":2}', headers(second)), { message: /signature/ })
  const later = rotated(second, now + 25 * hour)
  t.equal(later.length, 2, 'after 24 hours the old secret ends')
  t.notMatch(later.map(({ secret }) => secret), [second[0]?.secret])
})

t.test('many rotations keep few secrets', async (t) => {
  let secrets: SigningSecret[] = [{ secret: newSecret(), until: null }]
  for (let times = 0; times < 20; times++) secrets = rotated(secrets)
  t.equal(secrets.length, 5)
  t.strictSame(secrets.map(({ until }) => until === null), [false, false, false, false, true])
})
