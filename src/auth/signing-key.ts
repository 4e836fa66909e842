import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { refuseForeignFile, replaceFile } from '../http/replace-file.ts'
import { codeOf } from '../files/errors.ts'

/** A configuration with a signing key. */
export type SigningConfig = Config & { JWT_SECRET: string }

/**
 * Returns the configuration with JWT_SECRET. Outside production, the defaults of JWT_SECRET and JWT_SECRET_PREVIOUS are a generated key in
 * `DATA_DIR` and the key before it.
 * @throws {Error} in production without JWT_SECRET
 */
export function withSigningKey (config: Config): SigningConfig {
  if (config.JWT_SECRET === undefined && config.NODE_ENV === 'production') throw new Error('JWT_SECRET is required in production')
  if (config.JWT_SECRET !== undefined) return { ...config, JWT_SECRET: config.JWT_SECRET }
  const previous = config.JWT_SECRET_PREVIOUS ?? previousKey(config.DATA_DIR)
  return { ...config, JWT_SECRET: storedKey(config.DATA_DIR), ...previous === undefined ? {} : { JWT_SECRET_PREVIOUS: previous } }
}

/** A new random key of 384 bits. */
export function newKey (): string {
  return randomBytes(48).toString('base64url')
}

/**
 * Replaces the key in `DATA_DIR` by a new one. The next start still accepts the old one.
 * @param keepOwner whether the new files get the owner of the current key file
 * @returns the file, or undefined if there is no key in `DATA_DIR`
 */
export async function rotateKeptKey (dataDir: string, keepOwner = false): Promise<string | undefined> {
  const file = keyFile(dataDir)
  if (!existsSync(file)) return undefined
  const keepOwnerOf = keepOwner ? file : undefined
  await refuseForeignFile(file, keepOwnerOf)
  const former = await readFile(file)
  // In this order: if the second step fails, the current key is only stored twice.
  await replaceFile(`${file}.previous`, async previous => await previous.writeFile(former), keepOwnerOf)
  await replaceFile(file, async next => await next.writeFile(newKey()), keepOwnerOf)
  return file
}

function keyFile (dataDir: string): string {
  return join(dataDir, 'signing-key')
}

function previousKey (dataDir: string): string | undefined {
  const file = `${keyFile(dataDir)}.previous`
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function storedKey (dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = keyFile(dataDir)
  if (!existsSync(file)) makeKey(file)
  const key = readFileSync(file, 'utf8')
  if (Buffer.byteLength(key) < 32) throw new Error(`${file} is shorter than 32 bytes and no signing key. Remove it to generate a new one`)
  return key
}

/**
 * Writes a temporary file and links it to the final name, so that readers never see a partial key. If two processes start together, the
 * first key is kept.
 */
function makeKey (file: string): void {
  const part = `${file}.${randomBytes(4).toString('hex')}`
  writeFileSync(part, newKey(), { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(part, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(part)
  }
}
