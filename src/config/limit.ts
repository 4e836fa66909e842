import type { configSchema } from './variables.ts'

/** The holder of a limit. Each of them has the whole limit, whatever the others take. */
export type Holder =
  'request' | 'answer' | 'body' | 'file' | 'report' | 'statement' | 'transaction' | 'connection' | 'webhook' | 'receiver' | 'device' |
  'tree' | 'user' | 'company' | 'customer' | 'customer, or address without a session' | 'address' | 'email and address' | 'email' |
  'process' | 'customer and process' | 'customer and receiver'

/** The unit of a limit. `count` is the number of what is limited. */
type Unit = 'bytes' | 'characters' | 'count' | 'ms' | `% of ${string}` | `times ${string}`

/** A number that bounds something, and what happens beyond it. */
export interface Limit {
  what: string
  of: Holder
  value: number
  unit: Unit
  /** The status or event beyond the limit. */
  beyond: string
}

/** A limit that a variable sets. Its default is that of the variable. */
export interface VariableLimit extends Omit<Limit, 'value' | 'unit'> {
  variable: keyof typeof configSchema.properties
  /** Follows the number. */
  unit: string
}

export const [KiB, MiB, MB, GB] = [2 ** 10, 2 ** 20, 1e6, 1e9]
export const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

/** Limits by unit. @param beyond what happens */
export const limit = (what: string, of: Holder, value: number, unit: Unit, beyond: string): Limit => ({ what, of, value, unit, beyond })
export const count = (what: string, of: Holder, value: number, beyond: string): Limit => limit(what, of, value, 'count', beyond)
export const size = (what: string, of: Holder, value: number, beyond: string): Limit => limit(what, of, value, 'bytes', beyond)
export const time = (what: string, of: Holder, value: number, beyond: string): Limit => limit(what, of, value, 'ms', beyond)
/** A limit of a variable. @param unit follows its number */
export const variable = (what: string, of: Holder, variable: VariableLimit['variable'], unit: string, beyond: string): VariableLimit =>
  ({ what, of, variable, unit, beyond })
