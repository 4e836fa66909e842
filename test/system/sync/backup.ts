import { cp, rm } from 'node:fs/promises'
import { looking, withoutConnections } from '../kernel/psql.ts'
import type { Site } from '../kernel/site.ts'
import { readAudit, shiftClock, type Write } from './audit.ts'

/** The backup of a database. */
export interface Backup extends AsyncDisposable {
  /** Makes a new backup, and shifts the clock of the database by a number of seconds. */
  save: (seconds: number) => Promise<void>
  /** Returns the database to the last backup. @returns the changes of the lost timeline, with those before the backup */
  restore: () => Promise<Write[]>
}

/** A backup of the database of a site. */
export function backupOf (site: Site): Backup {
  return site.url === undefined ? embeddedBackup(site) : sharedBackup(site, site.url)
}

function embeddedBackup (site: Site): Backup {
  const { place } = site
  const backup = `${place.dataDir}.backup`
  return {
    save: async seconds => await site.stopped(async () => {
      await rm(backup, { recursive: true, force: true })
      await cp(place.dataDir, backup, { recursive: true })
      await looking(place, async psql => await shiftClock(psql, seconds))
    }),
    restore: async () => await site.stopped(async () => {
      const lost = await looking(place, readAudit)
      await rm(place.dataDir, { recursive: true })
      await cp(backup, place.dataDir, { recursive: true })
      return lost
    }),
    async [Symbol.asyncDispose] () {}
  }
}

function sharedBackup (site: Site, url: string): Backup {
  const name = new URL(url).pathname.slice(1)
  const backup = `${name}_backup`
  const disconnected = async (...statements: string[]) => await withoutConnections(url, async (admin) => {
    for (const statement of statements) await admin(statement)
  })
  return {
    async save (seconds) {
      await disconnected(`drop database if exists ${backup} with (force)`, `create database ${backup} template ${name}`)
      await site.look(async psql => await shiftClock(psql, seconds))
    },
    async restore () {
      const lost = await site.look(readAudit)
      await disconnected(`drop database ${name} with (force)`, `create database ${name} template ${backup}`)
      return lost
    },
    [Symbol.asyncDispose]: async () => await disconnected(`drop database if exists ${backup} with (force)`)
  }
}
