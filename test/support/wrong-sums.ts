import type { Row } from '../../src/database/connection/sql.ts'

/** SQL of the stored sums that differ from those of the records. */
export const wrongSumsQuery = `
  with levels (level, size) as (values (1, 32), (2, 1024), (3, 32768)),
  found as (
    select 'estimate_sums' as of, company_id, contract_id, level || '/' || block as part, 0 as n, monto, 0.00 as other from estimate_sums where monto <> 0
    union all select 'contract_sums', company_id, contract_id, monto::text, vivas, autorizado, amortizacion from contract_sums where vivas <> 0 or monto <> 0 or autorizado <> 0
    union all select 'subcontract_sums', company_id, parent_id, moneda, hijos, monto, 0.00 from subcontract_sums where hijos <> 0 or monto <> 0),
  wanted as (
    select 'estimate_sums' as of, company_id, contract_id, level || '/' || (numero - 1) / size as part, 0 as n, sum(monto) as monto, 0.00 as other
    from estimates cross join levels where estado not in ('rechazada', 'cancelada') group by 1, 2, 3, 4 having sum(monto) <> 0
    union all select 'contract_sums', company_id, contract_id, coalesce(sum(monto) filter (where estado not in ('rechazada', 'cancelada')), 0.00)::text,
      count(*) filter (where estado not in ('rechazada', 'cancelada')), coalesce(sum(monto) filter (where neto is not null), 0.00), coalesce(sum(amortizacion), 0.00)
    from estimates group by 1, 2, 3 having count(*) filter (where estado not in ('rechazada', 'cancelada')) > 0
    union all select 'subcontract_sums', company_id, parent_id, moneda, count(*), sum(monto), 0.00 from contracts where parent_id is not null group by 1, 2, 3, 4)
  (select 'stored' as which, found.* from found except all select 'stored', wanted.* from wanted)
  union all (select 'missing', wanted.* from wanted except all select 'missing', found.* from found)`

/** Compares the stored sums with the records. @returns the differences */
export async function wrongSums (psql: (text: string) => Promise<Row[]>): Promise<Row[]> {
  return await psql(wrongSumsQuery)
}
