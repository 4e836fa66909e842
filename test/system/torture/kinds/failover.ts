import { withoutStack } from '../../failover/stack.ts'
import { trial, type Failure, type Result } from '../../failover/trial.ts'
import { sum } from '../../kernel/report.ts'
import type { Kind } from './kinds.ts'
import { count, type Row } from '../../kernel/table.ts'

/** Failures of the leader of the documented stack: a row for each way, and one for all requests. */
export const failovers: Kind = {
  name: 'failover',
  about: 'the leader of three PostgreSQL under Patroni fails in several ways during reads and writes; needs root and Debian\'s patroni, etcd-server, haproxy, nftables and PostgreSQL',
  async run ({ failovers: times, seed }, addRow) {
    const why = withoutStack()
    if (why !== false) return addRow({ what: 'failover of the database', why })
    const result = await trial(times, seed, line => { process.stderr.write(`failover: ${line}\n`) })
    for (const row of rowsOf(result)) addRow(row)
  }
}

/** The rows of a trial. */
export function rowsOf ({ failures, report, reads, bad }: Result): Row[] {
  const ways = [...Map.groupBy(failures, ({ way }) => way)].map(([way, failures]) => ({ what: `leader: ${way}`, times: failures.length, result: wayText(failures), bad: [] }))
  const answers = [...report.answers].sort(([a], [b]) => a.localeCompare(b)).map(([name, number]) => `${count(number)} × ${name}`).join(', ')
  return [...ways, {
    what: 'failovers under load, two servers',
    times: failures.length,
    result: `${count(report.acknowledged.length)} writes, ${count(sum(report.answers))} answers: ${answers}; slowest ${count(report.slowest)} ms; reads by ${[...reads].map(([server, number]) => `${server} ${count(number)}`).join(', ')}`,
    bad
  }]
}

function wayText (failures: Failure[]): string {
  const seconds = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    const [median = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
    return `${(median / 1000).toFixed(1)} s (max ${(most / 1000).toFixed(1)} s)`
  }
  const replaced = failures.filter(({ isReplaced }) => isReplaced).length
  return `${replaced} replaced, median outage ${seconds(failures.map(({ outage }) => outage))}, a standby again after ${seconds(failures.map(({ repair }) => repair))}`
}
