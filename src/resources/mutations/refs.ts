import type { CompanyResource } from '../declaration/define.ts'
import type { Values } from '../declaration/resource.ts'
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

/** A body with ids instead of refs. @throws {DependencyFailed} */
export function withRecords ({ references }: CompanyResource, body: Values, refs: ReadonlyMap<string, Created>): Values {
  return Object.fromEntries(Object.entries(body).map(([field, value]) => {
    const reference = Object.hasOwn(references, field) ? references[field] : undefined
    return [field, reference === undefined ? value : resolved(value, reference.resource, refs)]
  }))
}

function isRef (value: unknown): value is { ref: string } {
  return typeof value === 'object' && value !== null && refPattern.test(String((value as { ref?: unknown }).ref)) && Object.keys(value).length === 1
}
