import type { CopiedColumn } from '../../database/schema/child-triggers.ts'
import type { FieldSpec } from './field-spec.ts'

/** The column that a field copies from the record of another field. @throws {Error} if that cannot be copied from */
export function copyOf (
  field: string, { reference, copiedFrom: { via, field: source } }: CopiedField, parent: (reference: string) => { spec: FieldSpec }
): CopiedColumn {
  const { spec } = parent(via)
  const to = spec.reference?.resource
  if (spec.isFixed !== true || spec.isRequired !== true || to === undefined || to === 'self') {
    throw new Error(`${field}: ${via} must be a required and fixed reference to another resource`)
  }
  const suffix = reference === undefined ? '' : '_id'
  return { column: `${field}${suffix}`, via, table: to.name, source: `${source}${suffix}` }
}

/** A field that is copied. */
type CopiedField = FieldSpec & Required<Pick<FieldSpec, 'copiedFrom'>>

/** Whether a field is copied. */
export function isCopied (spec: FieldSpec): spec is CopiedField {
  return spec.copiedFrom !== undefined
}
