const maxLength = 255

/** Limits of the cost of verifying a hash, which delays the log-in and the process. Memory is in KiB. */
const maxCost = { iterations: 10_000_000, memory: 1024 * 1024, passes: 32, lanes: 32 }

const argon2Form = /^\$argon2(?:id|i|d)\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}$/

/** A converted hash, or the reason why no password could match it. */
type Taken = { kept: string } | { fault: string }

/**
 * Converts a Django password hash: `pbkdf2_sha256$…`, `argon2$argon2id$…`, or `!…` for an unusable password. Django puts
 * `argon2` before a PHC string; Obra stores the PHC string.
 */
export function takeHash (encoded: string): Taken {
  if (encoded.length > maxLength) return { fault: `the hash has more than ${maxLength} characters` }
  if (encoded.startsWith('!')) return { kept: '!' }
  const algorithm = encoded.split('$', 1)[0]
  if (algorithm === 'pbkdf2_sha256') return takePbkdf2(encoded)
  if (algorithm === 'argon2') return takeArgon2(encoded.slice('argon2'.length))
  if (encoded.startsWith('$argon2')) return takeArgon2(encoded)
  if (!encoded.includes('$')) return { fault: 'not a password hash' }
  const name = algorithm || encoded.split('$', 2)[1]
  return { fault: `hash algorithm ${name} is not supported: import the account with "password": "!" and set a new password` }
}

function takePbkdf2 (encoded: string): Taken {
  const iterations = Number(/^pbkdf2_sha256\$([1-9]\d{0,8})\$[^$]+\$[A-Za-z0-9+/]{43}=$/.exec(encoded)?.[1])
  if (Number.isNaN(iterations)) return { fault: 'the pbkdf2_sha256 hash is malformed' }
  if (iterations <= maxCost.iterations) return { kept: encoded }
  return { fault: `more than ${maxCost.iterations} iterations would slow down every log-in` }
}

function takeArgon2 (encoded: string): Taken {
  const costs = argon2Form.exec(encoded)?.slice(1).map(Number)
  if (costs === undefined) return { fault: 'the argon2 hash is malformed' }
  const [memory = 0, passes = 0, lanes = 0] = costs
  if (memory <= maxCost.memory && passes <= maxCost.passes && lanes <= maxCost.lanes) return { kept: encoded }
  return { fault: 'the cost of the argon2 hash would slow down every log-in' }
}
