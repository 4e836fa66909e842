import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { refuseForeignFile, replaceFile } from '../http/replace-file.ts'

/** A configuration that has a signing key. */
export type SigningConfig = Config & { JWT_SECRET: string }

/** The configuration with its key or, outside production, with the random one that is made once and kept in `DATA_DIR`, with the one before it. */
export function withSigningKey (config: Config): SigningConfig {
  if (config.JWT_SECRET === undefined && config.NODE_ENV === 'production') throw new Error('JWT_SECRET is required in production')
  if (config.JWT_SECRET !== undefined) return { ...config, JWT_SECRET: config.JWT_SECRET }
  const previous = config.JWT_SECRET_PREVIOUS ?? formerKey(config.DATA_DIR)
  return { ...config, JWT_SECRET: keptKey(config.DATA_DIR), ...previous === undefined ? {} : { JWT_SECRET_PREVIOUS: previous } }
}

/** A new random key: 384 bits. */
export function newKey (): string {
  return randomBytes(48).toString('base64url')
}

/**
 * Puts a new key in the place of the one kept in `DATA_DIR`, which the next start still accepts.
 * @param keepOwner whether the new files get the owner of the present key file
 * @returns the file; undefined when no key is kept there
 */
export async function rotateKeptKey (dataDir: string, keepOwner = false): Promise<string | undefined> {
  const file = keyFile(dataDir)
  if (!existsSync(file)) return undefined
  const keepOwnerOf = keepOwner ? file : undefined
  await refuseForeignFile(file, keepOwnerOf)
  const former = await readFile(file)
  // In this order: if the second does not come about, the former key is accepted twice.
  await replaceFile(`${file}.previous`, async previous => await previous.writeFile(former), keepOwnerOf)
  await replaceFile(file, async next => await next.writeFile(newKey()), keepOwnerOf)
  return file
}

function keyFile (dataDir: string): string {
  return join(dataDir, 'signing-key')
}

function formerKey (dataDir: string): string | undefined {
  const file = `${keyFile(dataDir)}.previous`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function keptKey (dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = keyFile(dataDir)
  if (!existsSync(file)) makeKey(file)
  const key = readFileSync(file, 'utf8')
  if (Buffer.byteLength(key) < 32) throw new Error(`${file} holds no signing key: remove it, and a new one is made`)
  return key
}

/** Of two processes that start together one makes the key, and the file has its name only once the key is in it. */
function makeKey (file: string): void {
  const part = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(part, newKey(), { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(part, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(part)
  }
}
