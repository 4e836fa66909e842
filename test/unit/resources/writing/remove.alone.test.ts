import t from 'tap'
import { contracts } from '../../../../src/domain/contracts/resource.ts'
import { contrapartes } from '../../../../src/domain/contrapartes/resource.ts'
import { estimates } from '../../../../src/domain/estimates/resource.ts'
import { defineResource } from '../../../../src/domain/define.ts'
import { resources } from '../../../../src/domain/resources.ts'
import { detailsOf, type HttpError } from '../../../../src/http/errors.ts'
import { message } from '../../../../src/http/messages.ts'
import { reference, text } from '../../../../src/resources/declaration/fields.ts'
import { indexesOfLinks, linkResources } from '../../../../src/resources/declaration/links.ts'
import type { Resource } from '../../../../src/resources/declaration/resource.ts'
import { refuseRemoval } from '../../../../src/resources/writing/remove.ts'

const declaration = {
  name: 'ordenes',
  title: 'Orden',
  one: 'an order',
  many: 'orders',
  spanish: { one: 'una orden', many: 'órdenes' },
  fields: {
    clave: text(20).required(),
    contract: reference(contracts).required(),
    contraparte: reference(contrapartes).nullable(),
    estimate: reference(estimates).nullable().onDelete('cascade')
  },
  search: { columns: [] }
}

/** The answer to a delete, in both languages, or undefined if nothing prevents it. */
function refusal (resource: Resource, row: object): unknown {
  try {
    refuseRemoval(resource, row)
  } catch (error) {
    const { code, key, values } = detailsOf(error as HttpError)
    return [code, message('en', key, values), message('es', key, values)]
  }
  return undefined
}

/** The row of a record with some dependents. @param counts by `<resource>.<field>` */
function having (resource: Resource, counts: Record<string, number>): object {
  return Object.fromEntries(resource.dependents.map(({ from, field }, index) => [`count_${index}`, counts[`${from}.${field}`] ?? 0]))
}

t.test('the dependents of a resource follow from the references', async (t) => {
  t.teardown(() => { linkResources(resources) })
  const before = contracts.dependents.map(({ from, field }) => `${from}.${field}`)
  const ordered = linkResources([defineResource(declaration), ...resources])
  for (const { name, links } of ordered) t.ok(links.every(({ to }) => ordered.findIndex(other => other.name === to) <= ordered.findIndex(other => other.name === name)), `${name} comes after the resources that it refers to`)
  t.strictSame(contracts.dependents.map(({ from, field }) => `${from}.${field}`).filter(one => !before.includes(one)), ['ordenes.contract'])
  t.strictSame(estimates.dependents.filter(({ from }) => from === 'ordenes'), [], 'a cascade protects nothing')

  t.strictSame(refusal(contracts, having(contracts, { 'contracts.parent': 2, 'ordenes.contract': 1 })), ['protected',
    'This contract cannot be deleted while it has subcontracts (2) or orders (1).',
    'Este contrato no puede eliminarse mientras tenga subcontratos (2) u órdenes (1).'])
  t.strictSame(refusal(contrapartes, having(contrapartes, { 'contracts.contraparte': 3, 'ordenes.contraparte': 1 })), ['protected',
    'This counterparty cannot be deleted while contracts use it (3) or orders use it (1).',
    'Esta contraparte no puede eliminarse mientras haya contratos que la usen (3) o haya órdenes que la usen (1).'])
  t.equal(refusal(contracts, having(contracts, {})), undefined)
  t.match(refusal(estimates, { kept: true }), ['conflict', 'Only the last estimate of a contract can be deleted, and only while it is a "borrador".'])
})

t.test("today's messages", async (t) => {
  t.strictSame(refusal(contracts, having(contracts, { 'contracts.parent': 1, 'estimates.contract': 2 })), ['protected',
    'This contract cannot be deleted while it has subcontracts (1) or estimates (2).',
    'Este contrato no puede eliminarse mientras tenga subcontratos (1) o estimaciones (2).'])
  t.strictSame(refusal(contrapartes, having(contrapartes, { 'contracts.contraparte': 1 })), ['protected',
    'This counterparty cannot be deleted while contracts use it (1).',
    'Esta contraparte no puede eliminarse mientras haya contratos que la usen (1).'])
})

t.test('references get indexes, unless another index begins with them', async (t) => {
  const names = (declared: Parameters<typeof indexesOfLinks>[0]) => indexesOfLinks(declared).map(index => (index as { name: string }).name)
  t.strictSame(names(declaration), ['ordenes_contract_index', 'ordenes_contraparte_index', 'ordenes_estimate_index'])
  t.strictSame(names({ ...declaration, table: { uniques: [{ name: 'ordenes_clave_unique', properties: ['company', 'contract', 'clave'] }] } }),
    ['ordenes_contraparte_index', 'ordenes_estimate_index'])
})
