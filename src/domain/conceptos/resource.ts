import { limits } from '../../config/limits.ts'
import { defineResource } from '../define.ts'
import { conceptClashes, conceptConstraints } from './constraints.ts'
import { fields } from './fields.ts'
import { quantityJoins, quantityJoinsOfNew } from './quantities.ts'
import { conceptRules } from './rules.ts'

/** The catalogue is closed by the first authorization of a change order, or of an estimate with lines. */
const catalogue =
  '(select s.acordados > 0 or s.con_lineas > 0 from contract_sums s where s.company_id = p.company_id and s.contract_id = p.id)'

/** Fields that no amount depends on. */
const texts = ['capitulo', 'descripcion'] as const

/**
 * Concepts: the catalogue of a contract, with quantities and unit prices, and the rows that change orders add. Their sums are the amounts
 * of both.
 */
export const conceptos = defineResource({
  name: 'conceptos',
  title: 'Concepto',
  one: 'a concept',
  many: 'concepts',
  about: 'Concepts: the catalogues of contracts, with quantities and unit prices',
  spanish: { one: 'un concepto', many: 'conceptos' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields,
  joins: quantityJoins,
  joinsOfNew: quantityJoinsOfNew,
  search: { columns: ['clave', 'descripcion', 'capitulo'] },
  maxItems: limits.bodies.conceptos,
  writableWhile: [
    {
      of: 'contract',
      state: `coalesce(${catalogue}, false)`,
      is: 'false',
      where: 'w.convenio_id is null',
      otherwise: 'catalogueClosed',
      except: texts
    },
    { convenio: 'estado', is: 'borrador', otherwise: 'convenioNotDraft', except: texts }
  ],
  table: {
    checks: [{ name: 'conceptos_cantidad_check', expression: 'cantidad >= 0 or convenio_id is not null' }],
    // For foreign keys that contain the contract: a record of one contract cannot refer to a concept of another.
    uniques: [{ name: 'conceptos_contract_id_unique', properties: ['company', 'contract', 'id'] }],
    indexes: [{ name: 'conceptos_capitulo_index', properties: ['company', 'contract', 'capitulo'] }],
    triggers: {
      reprice_lines: { fires: 'after update', rows: 'new table as new_rows' },
      keep_claves_insert: { fires: 'after insert', rows: 'new table as new_rows', calls: 'keep_claves' },
      keep_claves_update: { fires: 'after update', rows: 'new table as new_rows', calls: 'keep_claves' }
    },
    raises: {
      conceptos_differs: { field: 'clave', key: 'differsFromClave' }
    }
  },
  constraints: conceptConstraints,
  clashes: conceptClashes,
  rules: conceptRules,
  examples: {
    create: {
      contract: 2,
      clave: 'EST-01',
      capitulo: '02 Estructura/02.1 Losas',
      descripcion: 'Concreto premezclado en losas, f\'c = 250 kg/cm²',
      unidad: 'm3',
      cantidad: '1200.0000',
      precio_unitario: '2890.50',
      external_id: 'ERP-4711'
    },
    patch: { cantidad: '1250.0000', precio_unitario: '2890.50' }
  }
})
