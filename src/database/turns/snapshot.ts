import { setCompanies, Transaction } from '../connection/postgres-sql.ts'
import { Crowded } from './crowded.ts'
import type { Group, Holder } from './shares.ts'
import type { Run, UnitDatabase } from './unit-of-work.ts'

/**
 * Runs reads in one snapshot. They hold a connection for slow reads until `work` ends.
 * @param companies that the policies admit
 * @param holder of the connection, in its group
 * @param deadline of the wait for a connection and of the reads, by `performance.now()`. No statement starts after it.
 * @throws {Crowded} at `deadline`; errors of `work`
 */
export async function inSnapshot<T> (
  database: UnitDatabase, companies: number[], { holder, group }: { holder: Holder, group: Group | undefined }, deadline: number,
  work: (run: Run) => Promise<T>
): Promise<T> {
  return await database.shares.slowReads.run(holder, deadline, async () => {
    const { transaction } = await Transaction.begin(database, [setCompanies(companies)], 'begin isolation level repeatable read, read only')
    try {
      return await work(async (statement) => {
        if (performance.now() > deadline) {
          throw new Crowded('reads in one snapshot take too long', { key: 'answerTooLong', isGivenUp: true })
        }
        const [rows] = await transaction.send([statement])
        return rows
      })
    } finally {
      await transaction.end()
    }
  }, group)
}
