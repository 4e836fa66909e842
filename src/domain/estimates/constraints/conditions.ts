/** SQL condition, after an alias: the estimate is neither rejected nor cancelled. */
export const live = "estado not in ('rechazada', 'cancelada')"

/** The same condition as PostgreSQL prints it in indexes and constraints, for the comparison of schemas. */
export const livePrinted = "estado <> all (array['rechazada', 'cancelada'])"

/** SQL: the change authorizes the estimate. */
export const isAuthorization = "n.estado = 'autorizada' and o.neto is null"
