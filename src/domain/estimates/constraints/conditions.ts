/** SQL condition, after an alias: the estimate is neither rejected nor cancelled. */
export const live = "estado not in ('rechazada', 'cancelada')"

/** SQL: the change authorizes the estimate. */
export const isAuthorization = "n.estado = 'autorizada' and o.neto is null"
