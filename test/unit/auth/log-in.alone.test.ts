import crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import t from 'tap'

// Wraps the hash functions to count their cost, before any other module imports them.
const work = { argon2id: 0, iterations: 0 }
const argon2 = createRequire(import.meta.url)('@node-rs/argon2') as { verify: (encoded: string, password: string) => Promise<boolean> }
const { verify } = argon2
argon2.verify = async (encoded, password) => {
  work.argon2id++
  return await verify(encoded, password)
}
const { pbkdf2 } = crypto
crypto.pbkdf2 = (...args: Parameters<typeof pbkdf2>) => {
  work.iterations += args[2]
  pbkdf2(...args)
}
syncBuiltinESMExports()

const { openTestDatabase } = await import('../../support/helper.ts')
const { logIn } = await import('../../../src/auth/log-in.ts')

const unlimited = async <T>(work: () => Promise<T>) => await work()

const { database, psql } = await openTestDatabase(t)
// demo-obra-1, hashed by Python's hashlib
const django = 'pbkdf2_sha256$1500$seasalt$SnVvJkUnKNMxO7Ty4j75rfjz4SGu/2phBcrl+CXxUqM='
const slower = 'pbkdf2_sha256$3000$pepper$DiVg7TmTEav9l8YFX5Jbo8cj1OGOoa+Jiq8eTiHVHX8=' // another password

async function cost (email: string, password: string) {
  Object.assign(work, { argon2id: 0, iterations: 0 })
  const user = (await logIn(database.sql, email, password, unlimited))?.user
  return { user, ...work }
}

const refusals = {
  'unknown email': ['nobody@demo.example', 'demo-obra-1'],
  'wrong password': ['director@demo.example', 'wrong'],
  'inactive user, right password': ['auxiliar@demo.example', 'demo-obra-1'],
  'inactive user, wrong password': ['auxiliar@demo.example', 'wrong'],
  'account without a password': ['corporativo@demo.example', 'demo-obra-1']
} as const

t.before(async () => {
  await psql("update users set activo = false where email = 'auxiliar@demo.example'")
  await psql("update users set password = '!unusable' where email = 'corporativo@demo.example'")
})

t.test('a failed log-in costs one argon2id verification, for any reason', async (t) => {
  for (const [reason, [email, password]] of Object.entries(refusals)) {
    t.strictSame(await cost(email, password), { user: undefined, argon2id: 1, iterations: 0 }, reason)
  }
})

t.test('while any account has a Django hash, every failed log-in also runs PBKDF2', async (t) => {
  await psql("update users set password = $1 where email in ('coordinador@demo.example', 'soporte@demo.example')", [django])
  await psql("update users set activo = false where email = 'soporte@demo.example'")
  await psql("update users set password = $1 where email = 'superusuario@demo.example'", [slower])
  const same = { user: undefined, argon2id: 1, iterations: 3000 }
  for (const [reason, [email, password]] of Object.entries(refusals)) t.strictSame(await cost(email, password), same, reason)
  t.strictSame(await cost('coordinador@demo.example', 'wrong'), same, 'wrong password, Django hash')
  t.strictSame(await cost('superusuario@demo.example', 'wrong'), same, 'wrong password, hash with more iterations')
  t.strictSame(await cost('soporte@demo.example', 'demo-obra-1'), same, 'inactive user, Django hash')
  const [{ password }] = await psql("select password from users where email = 'soporte@demo.example'") as [{ password: string }]
  t.equal(password, django, 'a failed log-in does not replace the hash')
})

t.test('a log-in with a Django hash replaces it by an argon2id hash, which the next log-in uses', async (t) => {
  const stored = async () => (await psql("select id, password from users where email = 'coordinador@demo.example'"))[0] as { id: number, password: string }
  await psql("update users set password = $1 where email = 'coordinador@demo.example'", [django])
  const { id } = await stored()
  t.equal((await cost('coordinador@demo.example', 'demo-obra-1')).user, id)
  const { password } = await stored()
  t.match(password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)

  t.strictSame(await cost('coordinador@demo.example', 'demo-obra-1'), { user: id, argon2id: 1, iterations: 0 })
  t.equal((await stored()).password, password, 'the next log-in keeps it')
  t.equal((await cost('coordinador@demo.example', 'wrong')).user, undefined)
})

t.test('two simultaneous log-ins with a Django hash both succeed', async (t) => {
  await psql("update users set password = $1 where email = 'coordinador@demo.example'", [django])
  const users = await Promise.all([1, 2].map(async () => await logIn(database.lone, 'coordinador@demo.example', 'demo-obra-1', unlimited)))
  t.ok(users[0] !== undefined)
  t.strictSame(users[0], users[1], 'both return the stored hash')
  t.equal((await psql("select password from users where email = 'coordinador@demo.example'"))[0]?.['password'], users[0]?.password)
})
