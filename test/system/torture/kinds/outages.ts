import { makeCluster, withoutCluster } from '../../../../src/trial/cluster.ts'
import { outage, outages as ways } from '../outage.ts'
import { logIn, looking, server } from '../places.ts'
import { faultRow } from './faults.ts'
import type { Kind } from './kinds.ts'
import { inFolder } from './places.ts'

/** Outages of the database, a row for each kind. */
export const outages: Kind = {
  name: 'outages',
  about: `the database ${Object.keys(ways).join(', ')}; needs root and PostgreSQL's server programs`,
  async run ({ outages: times, seconds, seed }, addRow) {
    const why = withoutCluster()
    if (why !== false) return addRow({ what: 'outages of the database', why })
    await inFolder(async (folder) => {
      await using cluster = await makeCluster()
      const place = { ...folder, env: { DATABASE_URL: cluster.url } }
      await using subject = await server(place)
      const tokens = await logIn(subject.origin)
      for (const name of Object.keys(ways)) {
        const { slowestReturn, ...verdict } = await outage(name, cluster, { origin: subject.origin, tokens, seed }, times, seconds, async work => await looking(place, work))
        addRow(faultRow(`database ${name}`, times, verdict, slowestReturn))
      }
    })
  }
}
