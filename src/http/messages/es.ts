import { records } from './es/records.ts'
import { requests } from './es/requests.ts'

/** Spanish messages. */
export const es = { ...requests, ...records } as const
