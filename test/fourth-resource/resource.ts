import { contracts } from '../../src/domain/contracts/resource.ts'
import { defineResource } from '../../src/domain/define.ts'
import { reference, text } from '../../src/resources/declaration/fields.ts'

/** Warehouses, each with an optional contract. */
export const almacenes = defineResource({
  name: 'almacenes',
  title: 'Almacen',
  one: 'a warehouse',
  many: 'warehouses',
  fields: {
    clave: text(20).required().unique().orderable()
      .describe('code of the warehouse, unique in the company', 'NORTE-1')
      .filterable('the warehouse of that code'),
    direccion: text(500).default('')
      .describe('postal address, or nothing'),
    contract: reference(contracts, 'folio').nullable().from('c.folio')
      .describe('reference code of the contract')
      .describeInput({ description: 'id or reference code of the contract' })
      .filterable('id or reference code of the contract, or `null`')
  },
  joins: 'left join contracts c on c.company_id = t.company_id and c.id = t.contract_id',
  filterJoins: 'left join contracts c on c.company_id = t.company_id and c.id = t.contract_id',
  search: { columns: ['clave', 'direccion'] }
})
