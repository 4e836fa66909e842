import { readdirSync } from 'node:fs'
import type { Constructor } from '@mikro-orm/core'
import type { Migration } from '@mikro-orm/migrations'
import { isLoad } from '../schema/declared.ts'
import { isReplaced } from './older.ts'

/** The number and name in a migration's file name. */
const named = /^migration-((\d+)-[\w-]+)\.ts$/

const files = readdirSync(import.meta.dirname)
  .filter(file => file.startsWith('migration-'))
  .map(file => named.exec(file) ?? failed(`${file} is not a valid file name of a migration`))
  .map(([file, name, number]) => ({ file, name, number: Number(number) }))
  .sort((a, b) => a.number - b.number)
for (const [index, { file, number }] of files.entries()) {
  if (files[index + 1]?.number === number) failed(`${file} has the number of another migration`)
}

/** All migrations of this folder, by number. A landed migration never changes. */
export const migrations = await Promise.all(files.map(async ({ file, name }) => {
  const exported: Record<string, Constructor<Migration>> = await import(`./${file}`)
  const [migration, ...others] = Object.values(exported)
  if (migration === undefined || others.length > 0) failed(`${file} must export one class`)
  return { name, class: migration }
}))

/** The migrations of a later release. @param run names that a database has noted */
export function unknownIn (run: string[]): string[] {
  return run.filter(name => !isLoad(name) && !isReplaced(name) && !migrations.some(known => known.name === name))
}

function failed (message: string): never {
  throw new Error(message)
}
