import type { TObject, TSchema } from '@sinclair/typebox'
import { original } from './columns.ts'

/** A column of a CSV body: how the value of its field follows from a cell. */
export interface InputColumn {
  field: string
  read: (cell: string) => unknown
  /** The value that clears the field: null, or an empty text if the field is a text without null. */
  cleared: null | ''
}

/** Booleans as Excel writes them in Spanish, beside those of JSON bodies. */
const truths: Record<string, boolean> = { verdadero: true, sí: true, si: true, falso: false }

const external = '.external_id'

/**
 * The columns of CSV bodies by name: the fields of an item, and `<reference>.external_id` for each reference. Read-only fields are ignored,
 * as in JSON.
 */
export function inputColumns ({ properties }: TObject): Map<string, InputColumn> {
  return new Map(Object.entries(properties).flatMap(([field, schema]) => [
    [field, { field, read: readerOf(schema), cleared: isText(schema) ? '' : null }] as const,
    ...isReference(schema)
      ? [[`${field}${external}`, { field, read: (cell: string) => ({ external_id: original(cell) }), cleared: null }] as const]
      : []
  ]))
}

function isReference ({ references, properties }: TSchema): boolean {
  return references === true && properties !== undefined
}

function isText ({ type, nullable, enum: values }: TSchema): boolean {
  return type === 'string' && nullable !== true && values === undefined
}

function readerOf ({ type }: TSchema): InputColumn['read'] {
  return type === 'boolean' ? cell => truths[cell.toLowerCase()] ?? cell : original
}
