import type { Row } from '../../../src/database/connection/sql.ts'
import type { TestServer } from '../../support/helper.ts'

/** Records of another tenant, the target of attacks. */
export interface Victim {
  company: number
  /** The contract. */
  id: number
  folio: string
  external_id: string
  contraparte: number
  nombre: string
  /** The id of an estimate of the contract. */
  estimate: number
}

/** Creates a counterparty, a contract and estimates with unique values in `Otra Uno`. */
export async function plantVictim ({ psql }: TestServer): Promise<Victim> {
  const [party] = await psql(`
    insert into contrapartes (company_id, nombre, rfc, external_id, activo) select id, 'Oculta, S.A.', 'GODE561231GR8', 'erp-secreto', false
    from companies where nombre = 'Otra Uno' returning id, company_id, nombre`) as [Row]
  const { id: contraparte, company_id: company, nombre } = party as { id: number, company_id: number, nombre: string }
  const [contract] = await psql(`
    insert into contracts (company_id, folio, external_id, contraparte_id, monto, descripcion)
    values ($1, 'SECRETO-1', 'erp-secreto', $2, 777777.77, 'obra reservada') returning id, folio, external_id`, [company, contraparte]) as [Row]
  const [estimate] = await psql(`
    insert into estimates (company_id, contract_id, external_id, monto, descripcion, estado, periodo_inicio, periodo_fin) values
      ($1, $2, 'erp-secreto', 77777.77, 'avance reservado', 'enviada', '2031-01-01', '2031-01-31'), ($1, $2, null, 66666.66, '', 'pagada', null, null), ($1, $2, null, 5.55, '', 'borrador', null, null)
    returning id`, [company, contract['id']]) as [Row]
  await psql("update contracts set estado = 'terminado' where id = $1", [contract['id']])
  return { company, contraparte, nombre, ...contract, estimate: estimate['id'] } as Victim
}
