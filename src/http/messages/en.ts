import { records } from './en/records.ts'
import { requests } from './en/requests.ts'

/** English messages. */
export const en = { ...requests, ...records } as const
