import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { loadConfig, type Config } from '../../config.ts'
import { misspelt } from '../../config/misspelt.ts'
import { configSchema } from '../../config/variables.ts'
import { findingsOf, type Finding } from './finding.ts'
import { messageOf } from '../../files/errors.ts'

/** Reads the configuration like the server. @returns the configuration, if it is usable, and the findings */
export function examineConfig (env: NodeJS.ProcessEnv): { config?: Config, findings: Finding[] } {
  const { ok, warning, failed } = findingsOf('configuration')
  const warnings = misspelt(env).map(warning)
  const set = Object.keys(configSchema.properties).filter(name => (env[name] ?? '') !== '')
  try {
    const config = loadConfig(env)
    return { config, findings: [ok(set.length === 0 ? 'all variables have their defaults' : `set: ${set.join(', ')}`), ...warnings] }
  } catch (error) {
    const faults = [...messageOf(error).replace(/^configuration: /, '').split('; ').map(failed), ...warnings]
    try {
      return { config: loadConfig(env, 'command'), findings: faults }
    } catch {
      return { findings: faults }
    }
  }
}

type KeyConfig = Pick<Config, 'NODE_ENV' | 'JWT_SECRET' | 'JWT_SECRET_PREVIOUS'>

/** Checks the signing key. In production a missing key is already a fault of the configuration. */
export function judgeKey ({ NODE_ENV: mode, JWT_SECRET: key, JWT_SECRET_PREVIOUS: previous }: KeyConfig): Finding {
  const { ok, warning, failed } = findingsOf('signing key')
  const make = 'create one with `openssl rand -base64 48`'
  if (key === undefined) return ok('the key in DATA_DIR is used')
  const weak = mode === 'production' ? failed : warning
  if (Buffer.byteLength(key) < 32) return weak(`JWT_SECRET has ${Buffer.byteLength(key)} bytes, at least 32 are needed: ${make}`)
  if (new Set(key).size < 12) return weak(`JWT_SECRET has few different characters and can be guessed: ${make}`)
  if (key === previous) return warning('JWT_SECRET_PREVIOUS is the same key: remove it')
  return ok('JWT_SECRET is long enough')
}

const megabyte = 2 ** 20

/** Checks the free disk space of the embedded database. @param free bytes */
export function judgeSpace (free: number): Finding {
  const { ok, warning, failed } = findingsOf('disk')
  const fact = `${Math.floor(free / megabyte)} MB free in DATA_DIR`
  if (free < 100 * megabyte) return failed(`${fact}: the database stops when the disk is full; free some space`)
  return free < 1024 * megabyte ? warning(`${fact}: free some space`) : ok(fact)
}

/** Checks the folder of the embedded database and the signing key. */
export function examineFolder ({ DATA_DIR: dataDir, JWT_SECRET: key }: Config): Finding[] {
  const { ok, warning, failed } = findingsOf('data folder')
  const folder = resolve(dataDir)
  const there = existsSync(folder)
  const findings: Finding[] = []
  try {
    accessSync(there ? folder : dirname(folder), constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    findings.push(failed(`${folder} cannot be ${there ? 'written' : 'created'} by this user: make the service's user its owner`))
  }
  if (!there) return findings.length > 0 ? findings : [ok(`the first start creates ${folder}`)]
  const file = join(folder, 'signing-key')
  const isShared = (path: string) => (statSync(path).mode & 0o077) !== 0
  if (key === undefined && existsSync(file) && isShared(file)) {
    findings.push(failed(`other users can read the signing key: run \`chmod 600 ${file}\``))
  }
  if (isShared(folder)) findings.push(warning(`other users can read ${folder}: run \`chmod 700 ${folder}\``))
  const { bavail, bsize } = statfsSync(folder)
  return [...findings.length > 0 ? findings : [ok(`only this user can access ${folder}`)], judgeSpace(bavail * bsize)]
}
