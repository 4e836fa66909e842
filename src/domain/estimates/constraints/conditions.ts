import { keyedRow } from '../../../database/turns/keyed-row.ts'

/** SQL condition, after an alias: the estimate is neither rejected nor cancelled. */
export const live = "estado not in ('rechazada', 'cancelada')"

/** The estimate before the write, if it is not authorized. */
const unauthorized = keyedRow('id', { table: 'estimates', as: 'e', value: 'q.self', where: 'e.neto is null' })

/** SQL over `q`: the change authorizes the estimate. */
export const isAuthorization = `q.estado = 'autorizada' and exists ${unauthorized}`
