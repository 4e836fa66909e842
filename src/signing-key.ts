import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** A configuration that has a signing key. */
export type SigningConfig = Config & { JWT_SECRET: string }

/** The configuration with its key or, outside production, with the random one that is made once and kept in `DATA_DIR`. */
export function withSigningKey (config: Config): SigningConfig {
  if (config.JWT_SECRET === undefined && config.NODE_ENV === 'production') throw new Error('JWT_SECRET is required in production')
  return { ...config, JWT_SECRET: config.JWT_SECRET ?? keptKey(config.DATA_DIR) }
}

function keptKey (dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'signing-key')
  if (!existsSync(file)) makeKey(file)
  const key = readFileSync(file, 'utf8')
  if (Buffer.byteLength(key) < 32) throw new Error(`${file} holds no signing key: remove it, and a new one is made`)
  return key
}

/** Of two processes that start together one makes the key, and the file has its name only once the key is in it. */
function makeKey (file: string): void {
  const part = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(part, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(part)
  }
}
