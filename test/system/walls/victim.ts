import type { Row } from '../../../src/database/connection/sql.ts'
import { registered } from '../../../src/domain/resources.ts'
import type { TestServer } from '../../support/helper.ts'
import { insertSample, isFreeText, needsOnlyContract, sampleOf, specsOf } from '../../support/sample.ts'

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
  /** The ids of a change order and a concept of the contract, and of a measurement of its last estimate. */
  convenio: number
  concepto: number
  generador: number
  /** The id of the payment of its paid estimate. */
  movimiento: number
  pago: number
  programa: number
  adjunto: number
  /** By resource, the id of a record that follows from the declaration: of each resource whose records need nothing but a contract. */
  others: Record<string, number>
}

/** The resources with a record of their own below. */
const planted = new Set(['estimates', 'convenios', 'conceptos', 'programa', 'adjuntos'])

/** A text by which lists find the record of the victim, and one that no record has. */
export const reserved = { theirs: 'Reservado', absent: 'Ninguno' }

/** Creates a counterparty, a contract with a concept, estimates, a measurement, a movement, a payment, a change order, a row of the programme and an attachment with unique values in `Otra Uno`. */
export async function plantVictim ({ psql }: TestServer): Promise<Victim> {
  const [party] = await psql(`
    insert into contrapartes (company_id, nombre, rfc, external_id, activo) select id, 'Oculta, S.A.', 'GODE561231GR8', 'erp-secreto', false
    from companies where nombre = 'Otra Uno' returning id, company_id, nombre`) as [Row]
  const { id: contraparte, company_id: company, nombre } = party as { id: number, company_id: number, nombre: string }
  const [contract] = await psql(`
    insert into contracts (company_id, folio, external_id, contraparte_id, monto, descripcion)
    values ($1, 'SECRETO-1', 'erp-secreto', $2, 777777.77, 'obra reservada') returning id, folio, external_id`, [company, contraparte]) as [Row]
  // Their ids are not positions of a bulk.
  await psql("select setval('conceptos_id_seq', 900), setval('generadores_id_seq', 900), setval('convenios_id_seq', 900), setval('pagos_id_seq', 900), setval('movimientos_id_seq', 900), setval('programa_id_seq', 900), setval('adjuntos_id_seq', 900)")
  const [concepto] = await psql(`
    insert into conceptos (company_id, contract_id, external_id, clave, capitulo, descripcion, unidad, cantidad, precio_unitario)
    values ($1, $2, 'erp-secreto', 'SECRETO-01', 'Reservado', 'partida reservada', 'lote', 1, 777777.77) returning id`, [company, contract['id']]) as [Row]
  const [estimate] = await psql(`
    insert into estimates (company_id, contract_id, external_id, monto, descripcion, estado, periodo_inicio, periodo_fin) values
      ($1, $2, 'erp-secreto', 77777.77, 'avance reservado', 'enviada', '2031-01-01', '2031-01-31'), ($1, $2, null, 66666.66, '', 'pagada', null, null), ($1, $2, null, 5.55, '', 'borrador', null, null)
    returning id`, [company, contract['id']]) as [Row]
  const [generador] = await psql(`
    insert into generadores (company_id, estimate_id, concepto_id, external_id, ubicacion, cantidad)
    select company_id, id, $2, 'erp-secreto', 'zona reservada', 0.0001 from estimates where contract_id = $1 and estado = 'borrador' returning id`, [contract['id'], concepto['id']]) as [Row]
  const [movimiento] = await psql(`
    insert into movimientos (company_id, estimate_id, external_id, tipo, motivo, antes_iva, importe)
    select company_id, id, 'erp-secreto', 'pena', 'causa reservada', false, 0.01 from estimates where contract_id = $1 and estado = 'borrador' returning id`, [contract['id']]) as [Row]
  const [pago] = await psql(`
    update pagos set external_id = 'erp-secreto', referencia = 'transferencia reservada', complemento_uuid = '33333333-3333-4333-8333-333333333333'
    where contract_id = $1 returning id`, [contract['id']]) as [Row]
  const [convenio] = await psql(`
    insert into convenios (company_id, contract_id, external_id, folio, descripcion) values ($1, $2, 'erp-secreto', 'SECRETO-CM-1', 'ampliación reservada') returning id`, [company, contract['id']]) as [Row]
  const [programa] = await psql(`
    insert into programa (company_id, contract_id, external_id, periodo_inicio, periodo_fin, importe)
    values ($1, $2, 'erp-secreto', '2031-01-01', '2031-01-31', 777777.77) returning id`, [company, contract['id']]) as [Row]
  // Of the same size and media type as the attackers' attachments, which would be `listo` with these bytes.
  const cfdi = {
    uuid: '55555555-5555-4555-8555-555555555555', tipo: 'I', emisor: 'XAXX010101000', receptor: 'XAXX010101000', total: '777777.77', moneda: 'MXN', fecha: '2031-01-31'
  }
  await psql("insert into stored_files (company_id, sha256, bytes, tipo, cfdi) values ($1, repeat('5e', 32), 200, 'image/jpeg', $2)", [company, cfdi])
  const [adjunto] = await psql(`
    insert into adjuntos (company_id, contract_id, external_id, nombre, descripcion, tipo, bytes, sha256)
    values ($1, $2, 'erp-secreto', 'reservada.jpg', 'foto reservada', 'image/jpeg', 200, repeat('5e', 32)) returning id`, [company, contract['id']]) as [Row]
  const others: Record<string, number> = {}
  for (const resource of registered.filter(resource => needsOnlyContract(resource) && !planted.has(resource.name))) {
    // Above the positions of a bulk.
    await psql(`select setval('${resource.name}_id_seq', greatest(900, (select last_value from ${resource.name}_id_seq)))`)
    const texts = specsOf(resource).filter(([, spec]) => isFreeText(spec) && spec.filters !== undefined).map(([field]) => [field, reserved.theirs])
    const values = { ...sampleOf(resource, 'nota reservada'), ...Object.fromEntries(texts) }
    others[resource.name] = await insertSample(psql, resource, contract['id'], { ...values, external_id: 'erp-secreto' })
  }
  await psql("update contracts set estado = 'terminado' where id = $1", [contract['id']])
  return { company, contraparte, nombre, ...contract, estimate: estimate['id'], convenio: convenio['id'], concepto: concepto['id'], generador: generador['id'], movimiento: movimiento['id'], pago: pago['id'], programa: programa['id'], adjunto: adjunto['id'], others } as Victim
}
