import { defineEntity, p } from '@mikro-orm/core'
import { Contract } from '../../src/entities/contract.ts'
import { tenantProperties, tenantWalls } from '../../src/entities/tenant.ts'

/** A warehouse of a building site. */
export const Almacen = defineEntity({
  name: 'Almacen',
  tableName: 'almacenes',
  ...tenantWalls,
  properties: {
    ...tenantProperties,
    clave: p.string().length(20),
    direccion: p.string().length(500).default(''),
    contract: p.manyToOne(Contract).mapToPk().$type<number | null>().strictNullable().createForeignKeyConstraint(false)
  }
})
