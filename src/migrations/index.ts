import { readdirSync } from 'node:fs'
import type { Constructor } from '@mikro-orm/core'
import type { Migration } from '@mikro-orm/migrations'

/** The number and name in a migration's file name. */
const named = /^migration-((\d+)-[\w-]+)\.ts$/

/** Every migration of this folder, in the order of their numbers. A landed one never changes. */
export const migrations = await Promise.all(readdirSync(import.meta.dirname)
  .map(file => named.exec(file))
  .filter(match => match !== null)
  .sort(([, , a], [, , b]) => Number(a) - Number(b))
  .map(async ([file, name]) => {
    const [migration] = Object.values(await import(`./${file}`) as Record<string, Constructor<Migration>>)
    return { name: name as string, class: migration as Constructor<Migration> }
  }))
