import { cp, rm } from 'node:fs/promises'
import { pick, type Random } from '../../../src/trial/random.ts'
import type { Place } from '../../support/process.ts'
import type { Psql } from '../torture/integrity.ts'
import { withoutConnections } from '../torture/disconnect.ts'
import type { Killable } from '../torture/kill.ts'
import { looking, server } from '../torture/places.ts'
import { installAudit, readAudit, shiftClock, type Write } from './audit.ts'

/** The servers of a trial and their database. */
export interface Site extends AsyncDisposable {
  origins: string[]
  /** Runs `work` on the database as superuser. Servers of an embedded database are stopped meanwhile. */
  look: <Result>(work: (psql: Psql) => Promise<Result>) => Promise<Result>
  /** Kills a server by SIGKILL and starts it again. */
  kill: () => Promise<void>
  /** Makes a backup of the database, and shifts its clock. */
  save: (seconds: number) => Promise<void>
  /** Returns the database to the last backup. @returns the changes of the lost timeline, with those before the backup */
  restore: () => Promise<Write[]>
}

/** Starts two servers on a PostgreSQL database, or one on an embedded database, which exists and has the demo data. */
export async function openSite (place: Place, random: Random): Promise<Site> {
  await looking(place, installAudit)
  return place.env['DATABASE_URL'] === undefined ? await embeddedSite(place) : await sharedSite(place, place.env['DATABASE_URL'], random)
}

async function embeddedSite (place: Place): Promise<Site> {
  const only = await server(place)
  const backup = `${place.dataDir}.backup`

  async function stopped<Result> (work: () => Promise<Result>): Promise<Result> {
    await only.kill()
    const result = await work()
    await only.start()
    return result
  }
  return {
    origins: [only.origin],
    look: async work => await stopped(async () => await looking(place, work)),
    kill: async () => await stopped(async () => {}),
    save: async seconds => await stopped(async () => {
      await rm(backup, { recursive: true, force: true })
      await cp(place.dataDir, backup, { recursive: true })
      await looking(place, async psql => await shiftClock(psql, seconds))
    }),
    restore: async () => await stopped(async () => {
      const lost = await looking(place, readAudit)
      await rm(place.dataDir, { recursive: true })
      await cp(backup, place.dataDir, { recursive: true })
      return lost
    }),
    [Symbol.asyncDispose]: async () => await only[Symbol.asyncDispose]()
  }
}

async function sharedSite (place: Place, url: string, random: Random): Promise<Site> {
  const servers: Array<Killable & AsyncDisposable> = await Promise.all([server(place), server(place)])
  const name = new URL(url).pathname.slice(1)
  const backup = `${name}_backup`

  const disconnected = async (...statements: string[]) => await withoutConnections(url, async (admin) => {
    for (const statement of statements) await admin.query(statement)
  })
  return {
    origins: servers.map(({ origin }) => origin),
    look: async work => await looking(place, work),
    async kill () {
      const one = pick(servers, random)
      await one.kill()
      await one.start()
    },
    async save (seconds) {
      await disconnected(`drop database if exists ${backup} with (force)`, `create database ${backup} template ${name}`)
      await looking(place, async psql => await shiftClock(psql, seconds))
    },
    async restore () {
      const lost = await looking(place, readAudit)
      await disconnected(`drop database ${name} with (force)`, `create database ${name} template ${backup}`)
      return lost
    },
    async [Symbol.asyncDispose] () {
      for (const one of servers) await one[Symbol.asyncDispose]()
      await disconnected(`drop database if exists ${backup} with (force)`)
    }
  }
}
