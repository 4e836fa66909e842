import { Router } from 'express'
import { QueryFailedError } from 'typeorm'
import { mayEdit } from './auth.ts'
import { ContractBody, ListQuery } from './contract-input.ts'
import { database } from './database.ts'
import { ContractEntity, ContraparteEntity, type Contract } from './entities.ts'
import { HttpError, invalid } from './errors.ts'

const pageSize = 20
const table = database.getRepository(ContractEntity)
const parties = database.getRepository(ContraparteEntity)

/** Contracts of the caller's company. */
export const contracts = Router()

contracts.get('/', async (request, response) => {
  const { data } = ListQuery.safeParse(request.query)
  if (data === undefined) throw new HttpError(404, 'Invalid page.')
  const [found, count] = await table.findAndCount({
    where: { company_id: response.locals.company },
    relations: { contraparte: true },
    order: { id: 'asc' },
    skip: (data.page - 1) * pageSize,
    take: pageSize
  })
  if (found.length === 0 && data.page > 1) throw new HttpError(404, 'Invalid page.')
  const link = (page: number) => `${request.protocol}://${request.get('host')}${request.baseUrl}/${page > 1 ? `?page=${page}` : ''}`
  response.json({
    count,
    next: data.page * pageSize < count ? link(data.page + 1) : null,
    previous: data.page > 1 ? link(data.page - 1) : null,
    results: found.map(asItem)
  })
})

contracts.get('/:id/', async (request, response) => {
  const { id } = request.params
  const contract = /^\d{1,9}$/.test(id) ? await findOne(response.locals.company, Number(id)) : undefined
  if (contract === undefined) throw new HttpError(404, 'Not found.')
  response.json(contract)
})

contracts.post('/', mayEdit, async (request, response) => {
  const { company } = response.locals
  const { data, error } = ContractBody.safeParse(request.body)
  if (error !== undefined) throw invalid(Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), [message]])))
  const { contraparte, parent, ...fields } = data
  const [party, above] = await Promise.all([
    contraparte == null ? null : parties.findOneBy({ company_id: company, ...typeof contraparte === 'number' ? { id: contraparte } : { nombre: contraparte } }),
    parent == null ? null : table.findOneBy({ company_id: company, id: parent })
  ])
  if (contraparte != null && party === null) throw invalid({ contraparte: ['Not found.'] })
  if (parent != null && above === null) throw invalid({ parent: ['Not found.'] })

  const { id } = await save({ ...fields, company_id: company, contraparte_id: party?.id ?? null, parent_id: parent ?? null })
  response.status(201).json(await findOne(company, id))
})

async function save (values: Partial<Contract>): Promise<Contract> {
  try {
    return await table.save(table.create(values))
  } catch (error) {
    if (error instanceof QueryFailedError && /^23/.test(error.driverError.code)) throw invalid({ folio: ['Taken, or a rule is broken.'] })
    throw error
  }
}

const children = 'from contracts child where child.company_id = contract.company_id and child.parent_id = contract.id'
const estimated = `select coalesce(sum(e.monto), 0.00) from estimates e
  where e.company_id = contract.company_id and e.contract_id = contract.id and e.neto is not null`

async function findOne (company: number, id: number) {
  const { entities: [contract], raw: [sums] } = await table.createQueryBuilder('contract')
    .leftJoinAndSelect('contract.contraparte', 'contraparte')
    .addSelect(`(select count(*)::int ${children})`, 'hijos')
    .addSelect(`(select coalesce(sum(child.monto) filter (where child.moneda = contract.moneda), 0.00) ${children})`, 'monto_subcontratado')
    .addSelect(`(select coalesce(json_object_agg(moneda, monto::text order by moneda), '{}') from (select child.moneda, sum(child.monto) as monto ${children} and child.moneda <> contract.moneda group by child.moneda) other)`, 'otras_monedas')
    .addSelect(`(${estimated})`, 'monto_estimado')
    .addSelect(`contract.monto - (${estimated})`, 'por_estimar')
    .where({ company_id: company, id })
    .getRawAndEntities()
  if (contract === undefined) return undefined
  return {
    ...asItem(contract),
    descripcion: contract.descripcion,
    hijos: sums.hijos,
    monto_subcontratado: sums.monto_subcontratado,
    otras_monedas: sums.otras_monedas,
    monto_estimado: sums.monto_estimado,
    por_estimar: sums.por_estimar
  }
}

function asItem ({ company_id: company, parent_id: parent, contraparte, descripcion: _, ...fields }: Contract) {
  return { ...fields, company, parent, contraparte: contraparte?.nombre ?? null }
}
