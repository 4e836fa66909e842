import { readdirSync } from 'node:fs'
import type { Constructor } from '@mikro-orm/core'
import type { Migration } from '@mikro-orm/migrations'

/** The number and name in a migration's file name. */
const named = /^migration-((\d+)-[\w-]+)\.ts$/

const files = readdirSync(import.meta.dirname)
  .filter(file => file.startsWith('migration-'))
  .map(file => named.exec(file) ?? failed(`${file} is not a valid file name of a migration`))
  .map(([file, name, number]) => ({ file, name, number: Number(number) }))
  .sort((a, b) => a.number - b.number)
for (const [index, { file, number }] of files.entries()) if (files[index + 1]?.number === number) failed(`${file} has the number of another migration`)

/** All migrations of this folder, by number. A landed migration never changes. */
export const migrations = await Promise.all(files.map(async ({ file, name }) => {
  const [migration, ...others] = Object.values(await import(`./${file}`) as Record<string, Constructor<Migration>>)
  if (migration === undefined || others.length > 0) failed(`${file} must export one class`)
  return { name, class: migration }
}))

/** Name of the last migration. */
export const lastMigration = (migrations.at(-1) as typeof migrations[number]).name

function failed (message: string): never {
  throw new Error(message)
}
