/** SQL condition for `byIndex`: the row is of the contract of the estimate `t`. */
export const ofContract = (as: string): string => `${as}.company_id = t.company_id and ${as}.contract_id = by_index(t.contract_id)`

/**
 * SQL condition of `anterior` in reports: the estimate `e` of the contract was authorized before `t`, and has a lower number. An estimate
 * that is authorized later changes no signed sheet. Advances have numbers of their own.
 */
export const isEarlier = `e.neto is not null and (t.autorizacion is null or e.autorizacion < t.autorizacion)
          and (e.numero < t.numero or (e.tipo = 'anticipo') <> (t.tipo = 'anticipo'))`

/** SQL condition: the estimate `e` has a lower number than `t` and is not earlier, because it was authorized after `t`. */
export const isOvertaken = 'e.neto is not null and e.autorizacion > t.autorizacion and e.numero < t.numero'
