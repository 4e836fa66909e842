import type { Input, Values } from '../declaration/input.ts'
import type { Resource } from '../declaration/resource.ts'
import type { Created } from './devices.ts'
import { DependencyFailed } from './results.ts'
import { refPattern, type Mutation } from './schemas.ts'

/** The refs that a mutation gives or uses. */
export function refsOf ({ ref, record, body, base }: Mutation): string[] {
  return [record, ...Object.values(body ?? {}), ...Object.values(base ?? {})].flatMap(value => isRef(value) ? [value.ref] : []).concat(ref ?? [])
}

/** A value, or the id of the record that its ref names. @throws {DependencyFailed} if the device has created no such record of the resource */
export function resolved (value: unknown, resource: string, refs: ReadonlyMap<string, Created>): unknown {
  if (!isRef(value)) return value
  const created = refs.get(value.ref)
  if (created === undefined || created.resource !== resource) throw new DependencyFailed()
  return created.id
}

/** The refs of a body by the field that has them, each with the resource that the field refers to. */
export type RefsByField = Record<string, { value: unknown, resource: string }>

/** The refs in the reference fields of a body. */
export function referencesOf ({ references }: Resource, body: Values): RefsByField {
  return Object.fromEntries(Object.entries(references).flatMap(([field, { resource }]) => Object.hasOwn(body, field) && isRef(body[field]) ? [[field, { value: body[field], resource }]] : []))
}

/** An input with ids instead of refs. @throws {DependencyFailed} */
export function withRecords ({ input: { values, problems }, refs: byField }: { input: Input, refs: RefsByField }, refs: ReadonlyMap<string, Created>): Input {
  const ids = Object.fromEntries(Object.entries(byField).map(([field, { value, resource }]) => [field, resolved(value, resource, refs)]))
  // A field that this operation does not accept has no value.
  return { values: Object.fromEntries(Object.entries(values).map(([field, value]) => [field, ids[field] ?? value])), problems: [...problems] }
}

function isRef (value: unknown): value is { ref: string } {
  if (typeof value !== 'object' || value === null || !('ref' in value) || Object.keys(value).length !== 1) return false
  return typeof value.ref === 'string' && refPattern.test(value.ref)
}
