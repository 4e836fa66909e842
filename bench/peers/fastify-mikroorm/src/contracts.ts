import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { ConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql'
import type { FastifyInstance } from 'fastify'
import { mayEdit } from './auth.ts'
import { Contract, Contraparte, type ContractRecord } from './entities.ts'
import { httpError } from './errors.ts'
import { ContractBody, ContractDetail, ContractItem, ListQuery, Paged, Params } from './schemas.ts'

const pageSize = 20

/** Contracts of the caller's company. */
export async function contracts (instance: FastifyInstance) {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/', { schema: { querystring: ListQuery, response: { 200: Paged(ContractItem) } } }, async ({ em, caller, query: { page }, protocol, host }) => {
    const [found, count] = await em.findAndCount(Contract, { company: caller.company }, {
      populate: ['contraparte'],
      orderBy: { id: 'asc' },
      limit: pageSize,
      offset: (page - 1) * pageSize
    })
    if (found.length === 0 && page > 1) throw httpError(404, 'Invalid page.')
    const link = (number: number) => `${protocol}://${host}${app.prefix}/${number > 1 ? `?page=${number}` : ''}`
    return {
      count,
      next: page * pageSize < count ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results: found.map(asItem)
    }
  })

  app.get('/:id/', { schema: { params: Params, response: { 200: ContractDetail } } }, async ({ em, caller, params: { id } }) => {
    return await findOne(em, caller.company, id)
  })

  app.post('/', { onRequest: mayEdit, schema: { body: ContractBody, response: { 201: ContractDetail } } }, async ({ em, caller, body }, reply) => {
    const { contraparte, parent, ...fields } = body
    const { company } = caller
    const party = contraparte == null ? null : await em.findOne(Contraparte, { company, ...typeof contraparte === 'number' ? { id: contraparte } : { nombre: contraparte } })
    if (contraparte != null && party === null) throw httpError(400, 'contraparte: not found.')
    const above = parent == null ? null : await em.findOne(Contract, { company, id: parent })
    if (parent != null && above === null) throw httpError(400, 'parent: not found.')

    const contract = em.create(Contract, { ...fields, company, contraparte: party, parent })
    try {
      await em.flush()
    } catch (error) {
      if (error instanceof ConstraintViolationException) throw httpError(400, 'The folio is taken, or a rule is broken.')
      throw error
    }
    reply.code(201)
    // Cleared, so that the record is read again with the values that the database has added.
    em.clear()
    return await findOne(em, company, contract.id)
  })
}

async function findOne (em: EntityManager, company: number, id: number) {
  const contract = await em.findOne(Contract, { company, id }, {
    populate: ['contraparte', 'hijos', 'monto_subcontratado', 'otras_monedas', 'monto_estimado', 'por_estimar']
  })
  if (contract === null) throw httpError(404, 'Not found.')
  return {
    ...asItem(contract),
    descripcion: contract.descripcion,
    hijos: contract.hijos,
    monto_subcontratado: contract.monto_subcontratado,
    otras_monedas: contract.otras_monedas,
    monto_estimado: contract.monto_estimado,
    por_estimar: contract.por_estimar
  }
}

function asItem (contract: ContractRecord) {
  return {
    id: contract.id,
    company: contract.company,
    folio: contract.folio,
    contraparte: contract.contraparte?.nombre ?? null,
    contraparte_id: contract.contraparte?.id ?? null,
    monto: contract.monto,
    parent: contract.parent ?? null,
    moneda: contract.moneda,
    fecha_inicio: contract.fecha_inicio ?? null,
    fecha_fin: contract.fecha_fin ?? null,
    anticipo_porcentaje: contract.anticipo_porcentaje,
    retencion_porcentaje: contract.retencion_porcentaje,
    iva_porcentaje: contract.iva_porcentaje,
    estado: contract.estado,
    external_id: contract.external_id ?? null,
    created_at: contract.created_at,
    updated_at: contract.updated_at,
    version: contract.version
  }
}
