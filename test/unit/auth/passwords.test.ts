import t from 'tap'
import { hashPassword, isDjangoHash, verifyNobody, verifyPassword } from '../../../src/auth/passwords.ts'

// Made by Python's hashlib, in Django's format.
const django = 'pbkdf2_sha256$1000$NaCl9$cNLj00CBTa/LRc+Bp4aLOsJ5gZT2WTN0jVkZXybJC4Q='

t.test('a password is stored as argon2id with OWASP’s parameters and its own salt', async (t) => {
  const [first, second] = await Promise.all([hashPassword('demo-obra-1'), hashPassword('demo-obra-1')])
  t.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.not(first, second)
  t.notOk(isDjangoHash(first))
  t.equal(await verifyPassword(first, 'demo-obra-1'), true)
  t.equal(await verifyPassword(first, 'demo-obra-1 '), false)
})

t.test('a Django hash is verified with its own iterations and salt', async (t) => {
  t.ok(isDjangoHash(django))
  t.equal(await verifyPassword(django, 'lètmein'), true)
  t.equal(await verifyPassword(django, 'letmein'), false)
  t.equal(await verifyPassword(django.replace('NaCl9', 'NaCl8'), 'lètmein'), false)
  t.equal(await verifyPassword(django.replace('$1000$', '$1001$'), 'lètmein'), false)
})

t.test('an invalid hash, such as Django’s mark for an unusable password, admits no password', async (t) => {
  for (const encoded of ['!', '!Xg0dB0aV6yq1k1yB2y3Zr4w5e6r7t8y9u0i1o2p3', '', 'demo-obra-1', 'md5$salt$00']) {
    t.equal(await verifyPassword(encoded, 'demo-obra-1'), false, JSON.stringify(encoded))
    t.equal(await verifyPassword(encoded, encoded), false, JSON.stringify(encoded))
  }
})

t.test('verification for an unknown user fails', async (t) => {
  t.equal(await verifyNobody('nobody has this password'), false)
})
