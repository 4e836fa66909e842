import { defineEntity, p, type Opt } from '@mikro-orm/core'
import { tenantProperties, tenantWalls } from './tenant.ts'

/** A counterparty: the other party to a contract, known by its name. */
export const Contraparte = defineEntity({
  name: 'Contraparte',
  tableName: 'contrapartes',
  ...tenantWalls,
  properties: {
    ...tenantProperties,
    nombre: p.string().length(200),
    /** What `search` looks in: `nombre` without case and accents. */
    busqueda: p.text().$type<Opt<string>>().generated('(search_text(nombre)) stored').hidden().lazy()
  },
  uniques: [
    { name: 'contrapartes_company_id_unique', properties: ['company', 'id'] },
    { name: 'contrapartes_nombre_unique', properties: ['company', 'nombre'] },
    { name: 'contrapartes_external_id_unique', properties: ['company', 'external_id'], where: 'external_id is not null' }
  ]
})
