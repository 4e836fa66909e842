import { Type } from '@sinclair/typebox'
import { Amount } from '../../resources/declaration/schemas.ts'
import { decimals } from './json.ts'

/** The advance of a contract in a report. */
export const Advance = Type.Object({
  importe: Type.String({ ...Amount, description: 'Sum of the authorized estimates with `tipo` `anticipo`. Without one, the agreed advance: `anticipo_porcentaje` of `monto` minus the signed change orders whose `con_anticipo` is `false`. Of a settled contract without one: what was repaid.', examples: ['247140.80'] }),
  amortizado: Type.String({ ...Amount, description: 'What the estimates have repaid.', examples: ['83376.32'] }),
  por_amortizar: Type.String({ ...Amount, description: '`importe − amortizado`, at least `0.00`.', examples: ['163764.48'] })
})

/** SQL of the advance of the contract `c` with the sums `s`: what was delivered, or what is agreed. A settled contract has repaid it. */
const advance = `case when s.anticipos > 0 then s.anticipos when s.liquidado then s.amortizacion
        else round((c.monto - s.convenios_sin_anticipo) * c.anticipo_porcentaje * 0.01, 2) end`

/** SQL of the JSON of an {@link Advance}. @param repaid SQL of what the estimates have repaid, which can be more than what is agreed now */
export function advanceAfter (repaid: string): string {
  return decimals({ importe: advance, amortizado: repaid, por_amortizar: `greatest(0.00, ${advance} - (${repaid}))` })
}

/** SQL join: what is summed up of the contract `c`, `s`. */
export const contractSums = `cross join lateral (
        select coalesce(sum(s.convenios), 0.00) as convenios, coalesce(sum(s.convenios_sin_anticipo), 0.00) as convenios_sin_anticipo,
          coalesce(sum(s.anticipos), 0.00) as anticipos, coalesce(sum(s.amortizacion), 0.00) as amortizacion,
          coalesce(bool_or(s.liquidado), false) as liquidado
        from contract_sums s where s.company_id = c.company_id and s.contract_id = c.id) s`
