import type { ConstraintMeaning } from '../../../src/resources/declaration/constraint.ts'
import type { Resource } from '../../../src/resources/declaration/resource.ts'

/** A rule that a generated trigger holds, and what its name means to callers of the API. */
interface HeldName {
  name: string
  meaning: ConstraintMeaning | undefined
}

/** The rules that the generated functions of resources hold. */
export function held (resources: ReadonlyArray<Pick<Resource, 'name' | 'entity' | 'meanings'>>): HeldName[] {
  return resources.flatMap(({ entity, meanings, name: table }) => {
    const routines = (entity.meta.triggers as ReadonlyArray<{ routine?: string }>).map(({ routine = '' }) => routine)
    const guards = routines.filter(routine => new RegExp(`function ${table}_rules(_of_rows)?\\(`).test(routine))
    const names = new Set(guards.flatMap(routine => [...routine.matchAll(/constraint = '(\w+)'/g)].map(([, name]) => name as string)))
    return [...names].map((name): HeldName => ({
      name, meaning: name === `${table}_transition` ? { field: 'estado', key: 'estadoTransition' } : meanings[name]
    }))
  })
}
