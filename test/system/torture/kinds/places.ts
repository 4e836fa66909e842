import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../../support/process.ts'
import { asAdmin, withName } from '../../../../src/trial/database.ts'

/** The reason in rows of kinds that need PostgreSQL. */
export const noPostgres = 'there is no PostgreSQL'

/** Runs `work` in a temporary folder. */
export async function inFolder<T> (work: (folder: Omit<Place, 'env'>) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'obra-torture-'))
  try {
    return await work({ dir, dataDir: join(dir, 'data') })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Runs `work` on an empty temporary database. @param admin URL of the PostgreSQL server @param name becomes part of the database's name */
export async function onEmpty<T> (admin: string, name: string, work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const database = `obra_torture_${name}`
  await asAdmin(admin, `drop database if exists ${database} with (force)`, `create database ${database}`)
  try {
    return await work({ DATABASE_URL: withName(admin, database) })
  } finally {
    await asAdmin(admin, `drop database ${database} with (force)`)
  }
}
