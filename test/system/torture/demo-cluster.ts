import type { Test } from 'tap'
import { loadDemo } from '../../../src/domain/demo/load.ts'
import { migrate } from '../../../src/server/migrate.ts'
import { openOrm } from '../../../src/server/open-database.ts'
import { makeCluster, type Cluster } from '../../support/trial/cluster.ts'

/** Starts a PostgreSQL server with the demo data, until the end of the test. */
export async function demoCluster (t: Test, diskSize?: string): Promise<Cluster> {
  const cluster = await makeCluster(diskSize)
  t.teardown(async () => await cluster[Symbol.asyncDispose]())
  const orm = await openOrm(cluster.url, 'owner')
  await migrate(orm)
  await loadDemo(orm)
  await orm.close(true)
  return cluster
}

/** Starts a replica of a server, until the end of the test. */
export async function standbyOf (t: Test, primary: Cluster): Promise<Cluster> {
  const standby = await makeCluster('200m', primary.url)
  t.teardown(async () => await standby[Symbol.asyncDispose]())
  return standby
}
