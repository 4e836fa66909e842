import { setTimeout as sleep } from 'node:timers/promises'
import { pick, type Random } from '../../support/trial/random.ts'
import type { Psql } from '../kernel/psql.ts'

const anyContract = "select id from contracts where estado = 'vigente' order by random() limit"
/** Contracts whose amount no actor knows. */
const ofNobody = "select id from contracts where estado = 'vigente' and folio !~ '^(zzzz-)?T' order by random() limit"

/** Transactions of an administrator, in any company. They can lock, last and be rolled back. */
const transactions: Array<(psql: Psql, companies: number[], random: Random) => Promise<unknown>> = [
  async psql => await psql(`update contracts set monto = monto + 1 where id in (${ofNobody} 4)`),
  async psql => await psql(`update contracts set descripcion = descripcion || '.' where id in (${anyContract} 1)`),
  async psql => await psql('delete from contracts t where id in (select id from contracts c where not exists (select from contracts s where s.parent_id = c.id) and not exists (select from estimates e where e.contract_id = c.id) and folio like \'psql%\' order by random() limit 3)'),
  async (psql, companies, random) => {
    await psql('select lock_companies($1)', [companies])
    await psql('insert into contracts (company_id, folio) select $1, \'psql-\' || gen_random_uuid() from generate_series(1, 3)', [pick(companies, random)])
  },
  // One transaction that creates, changes and deletes in two companies, and holds their locks.
  async (psql, companies, random) => {
    await psql('select lock_companies($1)', [companies])
    await psql('insert into contrapartes (company_id, nombre) select unnest($1::int[]), \'psql-\' || gen_random_uuid()', [companies])
    await sleep(random() * 200)
    await psql('update contrapartes set notas = \'psql\' where id in (select id from contrapartes where nombre like \'psql%\' order by id desc limit 2)')
    await psql('delete from contrapartes where id in (select id from contrapartes where nombre like \'psql%\' order by random() limit 1)')
  }
]

/** Runs one transaction. A failed or cut one leaves nothing behind. */
export async function writeByPsql (psql: Psql, companies: number[], random: Random): Promise<void> {
  const write = pick(transactions, random)
  try {
    await psql('begin')
    await write(psql, companies, random)
    await psql(random() < 0.2 ? 'rollback' : 'commit')
  } catch {
    await psql('rollback').catch(() => {})
  }
}
