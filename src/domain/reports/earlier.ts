/** SQL condition: the row is of the contract of the estimate `t`. The range leaves only an index of the contract. */
export const ofContract = (as: string): string =>
  `${as}.company_id = t.company_id and ${as}.contract_id between t.contract_id and t.contract_id`

/**
 * SQL condition of `anterior` in reports: the estimate `e` of the contract was authorized before `t`, and has a lower number. An estimate
 * that is authorized later changes no signed sheet. Advances have numbers of their own.
 */
export const isEarlier = `e.neto is not null and (t.autorizacion is null or e.autorizacion < t.autorizacion)
          and (e.numero < t.numero or (e.tipo = 'anticipo') <> (t.tipo = 'anticipo'))`

/** SQL condition: the estimate `e` has a lower number than `t` and is not earlier, because it was authorized after `t`. */
export const isOvertaken = 'e.neto is not null and e.autorizacion > t.autorizacion and e.numero < t.numero'
