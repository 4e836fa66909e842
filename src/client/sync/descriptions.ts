import { resources } from './resources.ts'

/** What the store knows of a resource, generated from its declaration. */
export interface Description {
  /** The fields of bodies that can be written. */
  fields: readonly string[]
  /** Values of a new record. */
  defaults: Record<string, unknown>
  /** References of bodies, with resource and field of records, and whether a removal of the referred record also removes this one. */
  references: Record<string, { resource: string, field: string, onDelete?: 'cascade' }>
  /** The other references in records, with their resources. */
  shown?: Record<string, string>
  /** Fields that are decimals, as texts. */
  decimals?: readonly string[]
  /** Fields that are sums, with the resources of the summed records. */
  sums?: Record<string, readonly string[]>
}

const descriptions: Record<string, Description> = resources

/** The description of a resource of the service. */
export function descriptionOf (resource: string): Description {
  return descriptions[resource]
}
