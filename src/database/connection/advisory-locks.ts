import { createHmac } from 'node:crypto'
import type { Statement } from './sql.ts'

/**
 * The purposes of advisory locks. PostgreSQL knows a lock by one number of 64 bits, or by two of 32 bits, which are never equal to the
 * former. Each purpose has a first number of its own, so no second number can reach a lock of another purpose.
 */
export const lockSpaces = {
  /** Writes to accounts. */
  accounts: 0x6f627201,
  /** Requests with an Idempotency-Key: the only space whose second numbers depend on a caller's text. */
  idempotencyKeys: 0x6f627202,
  purge: 0x6f627203,
  migrations: 0x6f627204,
  /** Set-up of the servers' login. */
  login: 0x6f627205,
  /** Rights to connect to the database. */
  reservation: 0x6f627208,
  demo: 0x6f627206,
  /** Taken by functions of the schema `search`. */
  search: 0x6f627207
} as const

/** A purpose with a single lock, taken by the service's own statements. */
type SingleLock = Exclude<keyof typeof lockSpaces, 'idempotencyKeys' | 'search'>

/** The numbers of 64 bits that these locks had up to migration 32. They are taken too, because servers of that release may still run. */
const formerNumbers: Partial<Record<SingleLock, number>> = {
  accounts: 0x61636374, purge: 0x70757267, migrations: 0x6f627261, login: 0x6c6f6769, demo: 0x64656d6f
}

function calls (name: string, purpose: SingleLock): string[] {
  const former = formerNumbers[purpose]
  return [...former === undefined ? [] : [`${name}(${former})`], `${name}(${lockSpaces[purpose]}, 0)`]
}

/** Takes the lock of a purpose until the transaction ends. */
export function lockFor (purpose: SingleLock): Statement {
  return { text: `select ${calls('pg_advisory_xact_lock', purpose).join(', ')}`, values: [] }
}

/** SQL of whether this transaction has, or gets without a wait, the lock of a purpose. */
export function tryLock (purpose: SingleLock): string {
  return calls('pg_try_advisory_xact_lock', purpose).join(' and ')
}

/** SQL that takes the lock of a purpose until {@link endSessionLock} or the end of the session. */
export function sessionLock (purpose: SingleLock): string {
  return `select ${calls('pg_advisory_lock', purpose).join(', ')}`
}

/** SQL that releases {@link sessionLock}. */
export function endSessionLock (purpose: SingleLock): string {
  return `select ${calls('pg_advisory_unlock', purpose).join(', ')}`
}

/**
 * A `select` that runs only if this transaction gets the lock of an Idempotency-Key, without a wait. Otherwise it has no row.
 * @param number of {@link keyNumbers}
 */
export function withKeyLock ({ name, text, values }: Statement, number: number): Statement {
  const [space, second] = [values.length + 1, values.length + 2]
  return {
    name: `${name} with key`,
    text: `${text} where pg_try_advisory_xact_lock($${space}, $${second})`,
    values: [...values, lockSpaces.idempotencyKeys, number]
  }
}

/**
 * The lock numbers of Idempotency-Keys: a keyed hash, so that no caller can find a key with the number of another caller's. Processes with
 * the same secret get the same numbers.
 */
export function keyNumbers (secret: string): (name: string) => number {
  const key = createHmac('sha256', secret).update('obra locks of idempotency keys').digest()
  return function keyNumber (name) {
    return createHmac('sha256', key).update(name).digest().readInt32BE()
  }
}
