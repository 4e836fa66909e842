import { withoutCluster } from '../../../support/trial/cluster.ts'
import { trial } from '../../freshness/trial.ts'
import { noPostgres } from '../../kernel/places.ts'
import { sum } from '../../kernel/report.ts'
import type { Kind } from './kinds.ts'
import { count } from '../../kernel/table.ts'

const listed = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([name, number]) => `${count(number)} × ${name}`).join(', ')

/** Reads during writes, each compared with what was acknowledged before its request. */
export const freshness: Kind = {
  name: 'freshness',
  about: 'reads through two servers, or one of --workers, during writes, also by psql, in 20 companies; with --replicas that lag, stop and freeze',
  async run ({ postgres, reads, writes, actors, workers, replicas, seed }, addRow) {
    const why = replicas > 0 ? withoutCluster() : postgres === undefined && noPostgres
    if (why !== false) return addRow({ what: 'reads during writes', why })
    const started = performance.now()
    const { report, servers, disturbances, bad } = await trial({ reads, writes, actors, workers, replicas, seed })
    const perSecond = `${count(1000 * sum(report.reads) / (performance.now() - started))} reads a second`
    addRow({
      what: `reads during writes, ${workers > 0 ? `one server of ${workers} workers` : 'two servers'}, ${replicas} replicas`,
      times: sum(report.reads),
      result: [perSecond, listed(report.reads), `${count(sum(report.writes))} writes: ${listed(report.writes)}`, ...replicas === 0 ? [] : [listed(servers), listed(disturbances)]].join('; '),
      bad
    })
  }
}
