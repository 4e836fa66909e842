import { admitAll, admitNone, type Query } from './query.ts'
import { maxListed } from '../listed.ts'
import { findingsOf, type Finding } from './finding.ts'

/** Finds invoices of several live estimates of a company. They are from before the API refused them, or written with psql. */
export async function examineInvoices (query: Query): Promise<Finding[]> {
  const { ok, warning } = findingsOf('invoices')
  // Another check reports pending migrations. Without the index, this one would read all estimates.
  const [index] = await query("select to_regclass('public.estimates_factura_uuid_index') is not null as there")
  if (index?.['there'] !== true) return []
  await query(admitAll)
  const rows = await query(`
    select company_id as company, factura_uuid as invoice, count(*) over ()::int as all,
      array_to_string((array_agg(id order by id))[1:${maxListed}], ', ') as ids
    from estimates where factura_uuid is not null and estado not in ('rechazada', 'cancelada')
    group by company_id, factura_uuid having count(*) > 1
    order by company_id, factura_uuid limit ${maxListed}`)
  await query(admitNone)
  if (rows.length === 0) return [ok('each invoice belongs to one live estimate')]
  const findings = rows.map(({ company, invoice, ids }) => warning(
    `the estimates ${ids} of company ${company} have the same factura_uuid ${invoice}: clear it in all but one`))
  const more = rows[0]?.['all'] - rows.length
  return more > 0 ? [...findings, warning(`and ${more} more invoices of several estimates`)] : findings
}
