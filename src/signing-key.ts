import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** A configuration that has a signing key. */
export type SigningConfig = Config & { JWT_SECRET: string }

/** The configuration with its key or, outside production, with the random one that is made once and kept in `DATA_DIR`. */
export function withSigningKey (config: Config): SigningConfig {
  return { ...config, JWT_SECRET: config.JWT_SECRET ?? keptKey(config.DATA_DIR) }
}

function keptKey (dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'signing-key')
  try {
    // Fails where the file is there already: of two processes that start together one makes the key.
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8')
}
