import { contracts } from '../../src/domain/contracts/resource.ts'
import { defineResource } from '../../src/domain/define.ts'
import { reference, text } from '../../src/resources/declaration/fields.ts'

/** Warehouses, each with an optional contract. */
export const almacenes = defineResource({
  name: 'almacenes',
  title: 'Almacen',
  one: 'a warehouse',
  many: 'warehouses',
  spanish: { one: 'un almacén', many: 'almacenes' },
  fields: {
    clave: text(20).required().unique().orderable()
      .describe('Code of the warehouse, unique in the company.', 'NORTE-1')
      .filterable('The warehouse with this code.'),
    direccion: text(500).default('')
      .describe('Postal address, or an empty string.'),
    contract: reference(contracts, 'folio').nullable().from('c.folio')
      .describe('Folio of the contract.')
      .describeInput({ description: 'Id or folio of the contract.' })
      .filterable('Id or folio of the contract, or `null`.')
  },
  joins: 'left join contracts c on c.company_id = t.company_id and c.id = t.contract_id',
  filterJoins: 'left join contracts c on c.company_id = t.company_id and c.id = t.contract_id',
  search: { columns: ['clave', 'direccion'] }
})
