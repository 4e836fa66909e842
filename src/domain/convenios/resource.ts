import { defineResource } from '../define.ts'
import { changeOrderConstraints } from './constraints.ts'
import { fields } from './fields.ts'
import { percentageJoins } from './percentages.ts'
import { changeOrderChanges, changeOrderDemands, changeOrderRules, changeOrderStates } from './rules.ts'

/** SQL after a state: the change order is authorized or signed. */
const counts = "= any (array['autorizado', 'firmado'])"

/** Change orders: their signature changes the amount and the term of a contract. */
export const convenios = defineResource({
  name: 'convenios',
  title: 'Convenio',
  one: 'a change order',
  many: 'change orders',
  about: 'Change orders: additions and reductions of contracts',
  spanish: { one: 'un convenio', many: 'convenios' },
  fields,
  search: { columns: ['folio', 'descripcion'] },
  detailJoins: percentageJoins,
  table: {
    checks: [
      {
        name: 'convenios_fecha_autorizacion_check',
        expression: "estado <> all (array['autorizado', 'firmado']) or fecha_autorizacion is not null",
        field: 'fecha_autorizacion',
        key: 'required'
      },
      {
        name: 'convenios_fecha_firma_check',
        expression: "estado <> 'firmado' or fecha_firma is not null",
        field: 'fecha_firma',
        key: 'required'
      }
    ],
    // For foreign keys that contain the contract.
    uniques: [{ name: 'convenios_contract_id_unique', properties: ['company', 'contract', 'id'] }],
    triggers: {
      keep_convenio: {
        fires: 'before update',
        when: "old.estado = 'autorizado' and new.estado = 'borrador' and new.fecha_autorizacion = old.fecha_autorizacion"
      },
      change_advance: { fires: 'after update of con_anticipo', when: 'new.con_anticipo <> old.con_anticipo' },
      keep_convenio_sums_insert: { fires: 'after insert', when: `new.estado ${counts}`, calls: 'keep_convenio_sums' },
      keep_convenio_sums_update: {
        fires: 'after update',
        when: `new.estado <> old.estado and (new.estado ${counts} or old.estado ${counts})`,
        calls: 'keep_convenio_sums'
      },
      keep_convenio_numbers: { fires: 'after delete' }
    }
  },
  constraints: changeOrderConstraints,
  // A signature, or the end of an order, changes what the contract leaves for the next one.
  order: ({ contract, estado }, current) => ({ group: contract, decides: current?.estado === 'autorizado' && estado !== current.estado }),
  kept: {
    key: 'convenioNotDeletable',
    name: 'convenios_numbers',
    sql: `t.estado <> 'borrador' or exists (
      select from convenios v
      where v.company_id = t.company_id and v.contract_id = t.contract_id and v.numero > t.numero offset 0)`
  },
  states: changeOrderStates,
  changeableWhile: changeOrderChanges,
  rules: changeOrderRules,
  demands: changeOrderDemands,
  routes: {
    exampleId: 3,
    update: {
      description: '`monto`, `dias` and `con_anticipo` change only in `borrador`; otherwise the answer is 409. ' +
        'Changes to `autorizado`, `firmado` and `rechazado`, and from `autorizado`, need level 3 Director, 4 Corporativo or 6 Superusuario.'
    },
    remove: { description: 'Only the last change order of a contract can be deleted, and only in `borrador`; otherwise the answer is 409.' }
  },
  examples: {
    create: {
      contract: 11,
      folio: 'ON-2026-002-CM-4',
      descripcion: 'Planta de emergencia de 300 kW',
      monto: '1216600.00',
      dias: 15,
      con_anticipo: false,
      external_id: 'ERP-4711'
    },
    patch: { monto: '-715000.00', dias: -10 }
  }
})
