import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { StoreError } from '../../domain/adjuntos/file-store.ts'
import { openAsOwner, type Owned } from '../../server/open-database.ts'
import { openFileStore } from '../../server/open-file-store.ts'
import { explainDenied } from '../denied.ts'
import { examineAccess } from './access.ts'
import { examineBackup } from './backup.ts'
import { examineDatabase } from './database.ts'
import { examineFiles } from './files.ts'
import type { Query } from './query.ts'
import { findingsOf, type Finding } from './finding.ts'
import { examineLogin } from './login.ts'
import { examineConfig, examineFolder, judgeKey } from './process.ts'
import { examineOutsideServices } from './outside-services.ts'
import { examineReplicas } from './replicas.ts'
import { examineUser } from './role.ts'
import { examineSettings } from './settings.ts'
import { messageOf } from '../../files/errors.ts'

/** Runs all checks. Changes nothing. @param env the environment of the server */
export async function examine (env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { config, findings } = examineConfig(env)
  if (config === undefined) return findings
  const keyIsMade = config.JWT_SECRET === undefined && config.NODE_ENV !== 'production'
  if (!findings.some(({ message }) => message.startsWith('JWT_SECRET '))) findings.push(judgeKey(config))
  if (config.DATABASE_URL === undefined || keyIsMade) findings.push(...examineFolder(config))
  findings.push(...await examineOutsideServices(config))
  return [...findings, ...await examineReachable(config)]
}

async function examineStore (query: Query, config: Config): Promise<Finding[]> {
  // A service that does not answer is a finding of the comparison.
  const store = await openFileStore(config, { warn () {} })
  try {
    await store.check()
    return await examineFiles(query, store)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return [findingsOf('files').failed(error.message)]
  } finally {
    store.close()
  }
}

async function examineReachable (config: Config): Promise<Finding[]> {
  const { ok, warning, failed } = findingsOf('database')
  const embedded = config.DATABASE_URL === undefined
  // Opening a missing embedded database would create it.
  if (embedded && !existsSync(join(config.DATA_DIR, 'pglite'))) {
    return [warning('the embedded database does not exist yet: the first start or `obra migrate` creates it')]
  }
  let owned: Owned
  try {
    owned = await openAsOwner(config)
  } catch (error) {
    const message = messageOf(error)
    if (!message.includes('open in another process')) return [failed(message)]
    return [warning('another process has the embedded database open: stop it to check the database, or query `/health/ready/`')]
  }
  const { orm, close } = owned
  try {
    const query: Query = async text => await orm.em.execute(text)
    const findings = [ok(embedded ? 'the embedded database opens' : 'reachable'), ...await examineDatabase(query)]
    // Another check reports pending migrations.
    const [files] = await query("select to_regclass('public.stored_files') is not null as there")
    if (files?.['there'] === true) findings.push(...await examineStore(query, config))
    findings.push(...await examineBackup(query, config))
    if (config.DATABASE_URL === undefined) return findings
    findings.push(...await examineSettings(query, config))
    const logins = [await examineUser(query), await examineLogin(config.DATABASE_URL), ...await examineAccess(query)]
    return [...findings, ...logins, ...await examineReplicas(config, query)]
  } catch (error) {
    const message = messageOf(await explainDenied(orm, error))
    return [failed(`the checks failed: ${message.split('\n', 1)[0]}`)]
  } finally {
    await close()
  }
}
