import fc from 'fast-check'
import t from 'tap'
import { areClaims, claimsOf, clockTolerance, successorId, tokenHash } from '../../../src/auth/claims.ts'

const sid = '0b5e7b1e-3f43-4cf5-9d2a-6a1c1e0f9a77'
const jti = '0123456789abcdef0123456789abcdef'
const type = fc.constantFrom('access' as const, 'refresh' as const)

t.test('claims are valid from the second of their issue for the lifetime of their type', async (t) => {
  fc.assert(fc.property(type, fc.integer({ min: 1, max: 2_147_483_647 }), fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (type, user, at) => {
    const claims = claimsOf(type, user, sid, jti, at)
    const iat = Math.floor(at.getTime() / 1000)
    t.strictSame(claims, { token_type: type, iat, exp: iat + (type === 'access' ? 3600 : 604_800), jti, user_id: user, sid })
    return areClaims({ ...claims }, at.getTime() / 1000)
  }), { numRuns: 50 })
})

t.test('claims of a process whose clock is up to 10 s ahead are valid', async (t) => {
  t.equal(clockTolerance, 10)
  const claims = { ...claimsOf('access', 7, sid, jti, new Date(1_800_000_000_000)) }
  for (const [ahead, isValid] of [[0, true], [0.3, true], [9.9, true], [10, true], [10.001, false], [11, false], [3600, false]] as const) {
    t.equal(areClaims(claims, 1_800_000_000 - ahead), isValid, `${ahead} s`)
  }
})

t.test('claims with a missing or malformed field are invalid', async (t) => {
  const now = 1_800_000_000
  const whole: Record<string, unknown> = { ...claimsOf('access', 7, sid, jti, new Date(now * 1000)) }
  const wrong: Record<string, unknown[]> = {
    token_type: ['sliding', '', 'Access', 1, null, ['access']],
    exp: ['1800003600', 1.5, null, NaN],
    iat: ['1800000000', null, now + 60, Number.MAX_SAFE_INTEGER, Infinity],
    jti: ['', jti.slice(1), `${jti}0`, jti.toUpperCase(), `${jti}\n`, null, [jti]],
    user_id: ['7', 7.5, 1e300, null, {}],
    sid: ['', `${sid}'`, `${sid}\n`, sid.toUpperCase(), null, [sid]]
  }
  t.ok(areClaims(whole, now))
  for (const [claim, values] of Object.entries(wrong)) {
    const { [claim]: _, ...rest } = whole
    t.notOk(areClaims(rest, now), `without ${claim}`)
    for (const value of values) t.notOk(areClaims({ ...whole, [claim]: value }, now), `${claim}: ${JSON.stringify(value)}`)
  }
})

t.test('any other payload is refused without an error', async (t) => {
  fc.assert(fc.property(fc.dictionary(fc.constantFrom('token_type', 'exp', 'iat', 'jti', 'user_id', 'sid', '__proto__'), fc.jsonValue()), payload => !areClaims(payload, 0)))
  t.pass('every random payload is refused')
})

t.test('the id of a successor is always the same, and differs for another token, type or key', async (t) => {
  const hex = fc.stringMatching(/^[0-9a-f]{32}$/)
  fc.assert(fc.property(hex, hex, (a, b) => {
    fc.pre(a !== b)
    const ids = [successorId('key', a, 'access'), successorId('key', a, 'refresh'), successorId('key', b, 'refresh'), successorId('other', a, 'refresh'), a]
    return successorId('key', a, 'refresh') === ids[1] && new Set(ids).size === ids.length && ids.every(id => /^[0-9a-f]{32}$/.test(id))
  }))
  t.equal(tokenHash(jti).toString('hex'), '3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9', 'the hash is SHA-256, as computed by Python’s hashlib')
})
