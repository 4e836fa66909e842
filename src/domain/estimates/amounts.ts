const percentages = 't.anticipo_porcentaje, t.retencion_porcentaje, t.iva_porcentaje, t.derechos_porcentaje, t.retencion_antes_iva'
const charges = 't.cargos_fijos_antes, t.cargos_fijos_despues, t.porcentajes'

/**
 * SQL join: the derived amounts, `a`, of an estimate that is not authorized. Those of others are stored. `offset 0`: they are not computed
 * again for each field.
 */
export const amounts = `left join lateral (
      select a.* from estimate_amounts(
        t.company_id, t.contract_id, t.id, t.tipo, t.monto, t.anticipo, t.sin_anticipo, t.deductivas, ${percentages}, ${charges}) a
      where t.neto is null offset 0) a on true`

/** SQL of a derived amount. */
export function amountOf (name: string): string {
  return `coalesce(t.${name}, a.${name})`
}
