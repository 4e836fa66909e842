import { defineResource } from '../define.ts'
import { fields } from './fields.ts'
import { programmeRules } from './rules.ts'

/** SQL over a contract `p`: it is cancelled or settled. */
const isClosed = `p.estado = 'cancelado' or coalesce((
      select s.liquidado from contract_sums s where s.company_id = p.company_id and s.contract_id = p.id), false)`

/** The programme of a contract: the work that is planned in each period. Rows of signed change orders add to the original ones. */
export const programa = defineResource({
  name: 'programa',
  title: 'Programa',
  one: 'a period of the programme',
  many: 'periods of the programme',
  about: 'Programmes of contracts: the work planned in each period',
  spanish: { one: 'un periodo del programa', many: 'periodos del programa' },
  access: { read: 'read', write: 'edit', remove: 'edit' },
  fields,
  search: { columns: [] },
  writableWhile: [
    { of: 'contract', state: isClosed, is: 'false', otherwise: 'programmeClosed', ofNew: 'programmeContractClosed' },
    { convenio: 'estado', is: 'borrador', otherwise: 'convenioNotDraft' }
  ],
  table: {
    checks: [
      { name: 'programa_periodo_check', expression: 'periodo_inicio <= periodo_fin', field: 'periodo_fin', key: 'periodBackwards' },
      { name: 'programa_importe_check', expression: 'importe <> 0', field: 'importe', key: 'zero' }
    ]
  },
  rules: programmeRules,
  routes: {
    update: {
      description: 'A row of a change order changes only while that is a `borrador`, ' +
        'and none in a contract that is settled or `cancelado`; otherwise the answer is 409.'
    },
    remove: {
      description: 'A row of a change order only while that is a `borrador`, and none of a contract that is settled or `cancelado`; ' +
        'otherwise the answer is 409.'
    }
  },
  examples: {
    create: { contract: 2, periodo_inicio: '2026-09-01', periodo_fin: '2026-09-30', importe: '850000.00', external_id: 'ERP-4711' },
    patch: { importe: '900000.00' }
  }
})
