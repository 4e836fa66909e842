import { zValidator } from '@hono/zod-validator'
import { and, count, eq, gt, sql, type AnyColumn } from 'drizzle-orm'
import { Hono } from 'hono'
import { mayEdit, type Signed } from './auth.ts'
import { ContractBody, ListQuery } from './contract-input.ts'
import { db } from './database.ts'
import { contracts as table, contractSums, contrapartes, subcontractSums as sums } from './schema.ts'

const pageSize = 20
const company = sql.placeholder('company')

const item = {
  id: table.id,
  company: table.company_id,
  folio: table.folio,
  contraparte: contrapartes.nombre,
  contraparte_id: table.contraparte_id,
  monto: table.monto,
  parent: table.parent_id,
  moneda: table.moneda,
  fecha_inicio: table.fecha_inicio,
  fecha_fin: table.fecha_fin,
  anticipo_porcentaje: table.anticipo_porcentaje,
  retencion_porcentaje: table.retencion_porcentaje,
  iva_porcentaje: table.iva_porcentaje,
  derechos_porcentaje: table.derechos_porcentaje,
  retencion_antes_iva: table.retencion_antes_iva,
  estado: table.estado,
  external_id: table.external_id,
  created_at: table.created_at,
  updated_at: table.updated_at,
  version: table.version
}

const sum = (column: AnyColumn) => sql<string>`coalesce(${column}, 0.00)`
const subcontracts = sql`from ${sums} where ${and(eq(sums.company_id, table.company_id), eq(sums.parent_id, table.id), gt(sums.hijos, 0))}`

const detail = {
  ...item,
  descripcion: table.descripcion,
  hijos: sql<number>`(select coalesce(sum(${sums.hijos}), 0)::int ${subcontracts})`,
  monto_subcontratado: sql<string>`(select coalesce(sum(${sums.monto}), 0.00) ${subcontracts} and ${sums.moneda} = ${table.moneda})`,
  otras_monedas: sql<Record<string, string>>`(select coalesce(json_object_agg(${sums.moneda}, ${sums.monto}::text), '{}')
    ${subcontracts} and ${sums.moneda} <> ${table.moneda})`,
  monto_original: sql<string>`${table.monto} - ${sum(contractSums.convenios)}`,
  fecha_fin_original: sql<string | null>`(${table.fecha_fin} - coalesce(${contractSums.dias}, 0))::text`,
  extra_autorizado: sum(contractSums.extra),
  monto_estimado: sum(contractSums.autorizado),
  por_estimar: sql<string>`${table.monto} - ${sum(contractSums.autorizado)}`
}

const findPage = db.select(item).from(table)
  .leftJoin(contrapartes, eq(contrapartes.id, table.contraparte_id))
  .where(eq(table.company_id, company))
  .orderBy(table.id).limit(pageSize).offset(sql.placeholder('offset'))
  .prepare('find_page')

const countAll = db.select({ count: count() }).from(table).where(eq(table.company_id, company)).prepare('count_all')

const findOne = db.select(detail).from(table)
  .leftJoin(contrapartes, eq(contrapartes.id, table.contraparte_id))
  .leftJoin(contractSums, and(eq(contractSums.company_id, table.company_id), eq(contractSums.contract_id, table.id)))
  .where(and(eq(table.company_id, company), eq(table.id, sql.placeholder('id'))))
  .prepare('find_one')

/** Contracts of the caller's company. */
export const contracts = new Hono<Signed>({ strict: false })
  .get('/', zValidator('query', ListQuery), async (c) => {
    const { page } = c.req.valid('query')
    const { company } = c.get('caller')
    const offset = (page - 1) * pageSize
    const [results, [counted]] = await Promise.all([findPage.execute({ company, offset }), countAll.execute({ company })])
    if (results.length === 0 && page > 1) return c.notFound()
    const total = counted?.count ?? 0
    const url = new URL(c.req.url)
    const link = (number: number) => `${url.origin}${url.pathname}${number > 1 ? `?page=${number}` : ''}`
    return c.json({
      count: total,
      next: page * pageSize < total ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results
    })
  })
  .get('/:id{[0-9]{1,9}}', async (c) => {
    const [contract] = await findOne.execute({ company: c.get('caller').company, id: Number(c.req.param('id')) })
    return contract === undefined ? c.notFound() : c.json(contract)
  })
  .post('/', mayEdit, zValidator('json', ContractBody), async (c) => {
    const { company } = c.get('caller')
    const { contraparte, parent, ...fields } = c.req.valid('json')
    const [party, above] = await Promise.all([
      contraparte == null ? undefined : findParty(company, contraparte),
      parent == null ? undefined : findOne.execute({ company, id: parent })
    ])
    const missing = contraparte != null && party === undefined ? 'contraparte' : above?.length === 0 ? 'parent' : undefined
    if (missing !== undefined) return c.json({ detail: 'Invalid input.', errors: { [missing]: ['Not found.'] } }, 400)

    const [created] = await db.insert(table)
      .values({ ...fields, company_id: company, contraparte_id: party?.id, parent_id: parent })
      .onConflictDoNothing().returning({ id: table.id })
    if (created === undefined) return c.json({ detail: 'Invalid input.', errors: { folio: ['Already taken.'] } }, 400)
    const [contract] = await findOne.execute({ company, id: created.id })
    return c.json(contract, 201)
  })

async function findParty (company: number, contraparte: number | string) {
  const named = typeof contraparte === 'number' ? eq(contrapartes.id, contraparte) : eq(contrapartes.nombre, contraparte)
  const [party] = await db.select({ id: contrapartes.id }).from(contrapartes).where(and(eq(contrapartes.company_id, company), named))
  return party
}
