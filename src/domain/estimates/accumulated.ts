import { live } from './constraints/conditions.ts'

const ofContract = (alias: string) => `${alias}.company_id = t.company_id and ${alias}.contract_id = t.contract_id`

/** SQL of the sums of a level's blocks before estimate `t` that are in no block of the next level. Levels are those of `estimate_sums`. */
function blocks (level: number): string {
  return `(
          select b.monto from estimate_sums b
          where ${ofContract('b')} and b.level = ${level} and b.block >= n.first_${level} and b.block < n.end_${level}
          order by b.block offset 0)`
}

/**
 * SQL join: the sum of the contract's live estimates up to estimate `t`, from at most 31 estimates and 31 blocks of each level. Row-level
 * security keeps divisions out of the conditions of an index, because they can fail, so `n` has the bounds. The order leaves only the index
 * by number, whatever the planner assumes about the table.
 */
export const accumulated = `cross join lateral (
      select t.numero / 32 * 32 as after_number,
        t.numero / 1024 * 32 as first_1, t.numero / 32 as end_1,
        t.numero / 32768 * 32 as first_2, t.numero / 1024 as end_2,
        0 as first_3, t.numero / 32768 as end_3
      offset 0) n
    cross join lateral (
      select coalesce(sum(p.monto), 0.00) as monto_acumulado
      from (
        (
          select e.monto from estimates e
          where ${ofContract('e')} and e.numero > n.after_number and e.numero <= t.numero and e.${live}
          order by e.numero offset 0)
        union all ${blocks(1)}
        union all ${blocks(2)}
        union all ${blocks(3)}) p) s`

/**
 * The same for new estimates in the statement that inserts them. It does not see its own inserts, and they are the last ones of their
 * contracts.
 */
export const accumulatedOfNew = `cross join lateral (
      select coalesce((select s.monto from contract_sums s where ${ofContract('s')}), 0.00) + sum(n.monto) as monto_acumulado
      from t n where ${ofContract('n')} and n.numero <= t.numero) s`
