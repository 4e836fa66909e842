import { makeCluster, withoutCluster } from '../../../support/trial/cluster.ts'
import { outage, outages as ways } from '../outage.ts'
import { inFolder } from '../../kernel/places.ts'
import { logIn, server } from '../../kernel/process.ts'
import { faultRow } from './faults.ts'
import type { Kind } from './kinds.ts'

/** Outages of the database, a row for each kind. */
export const outages: Kind = {
  name: 'outages',
  about: `the database ${Object.keys(ways).join(', ')}; needs root and PostgreSQL's server programs`,
  async run ({ outages: times, seconds, seed }, addRow) {
    const why = withoutCluster()
    if (why !== false) return addRow({ what: 'outages of the database', why })
    await inFolder(async (folder) => {
      await using cluster = await makeCluster()
      await using subject = await server({ ...folder, env: { DATABASE_URL: cluster.url } })
      const tokens = await logIn(subject.origin)
      for (const name of Object.keys(ways)) {
        const { slowestReturn, ...verdict } = await outage(name, cluster, { origin: subject.origin, tokens, seed }, times, seconds)
        addRow(faultRow(`database ${name}`, times, verdict, slowestReturn))
      }
    })
  }
}
