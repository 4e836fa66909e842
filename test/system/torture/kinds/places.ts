import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../../support/process.ts'
import { asAdmin, withName } from '../../../../bench/database.ts'

/** Why what needs PostgreSQL is not run. */
export const noPostgres = 'there is no PostgreSQL'

/** Works in a folder that is gone afterwards. */
export async function inFolder<T> (work: (folder: Omit<Place, 'env'>) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'obra-torture-'))
  try {
    return await work({ dir, dataDir: join(dir, 'data') })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Works on an empty database, which is gone afterwards. @param admin address of the PostgreSQL it is made on @param name of what it is for */
export async function onEmpty<T> (admin: string, name: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const database = `obra_torture_${name}`
  await asAdmin(admin, `drop database if exists ${database} with (force)`, `create database ${database}`)
  try {
    return await work({ DATABASE_URL: withName(admin, database) })
  } finally {
    await asAdmin(admin, `drop database ${database} with (force)`)
  }
}
