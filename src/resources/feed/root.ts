import { limits } from '../../config/limits.ts'
import type { Columns } from './statement.ts'
import type { Resource } from '../declaration/resource.ts'
import { recordId } from '../validation/convert.ts'

/** The resource to whose records clients can limit a feed. Its records are the roots of others, which refer to them. */
export type Root = Resource & Required<Pick<Resource, 'feedRoot'>>

/** Maximum roots to which a feed can be limited. */
export const maxRoots = limits.queries.feedRoots

/** The root among the resources of a feed. Its name is the parameter that limits the feed. @throws {Error} if there are several */
export function rootOf (resources: readonly Resource[]): Root | undefined {
  const [root, ...others] = resources.filter((resource): resource is Root => resource.feedRoot !== undefined)
  if (others.length > 0) throw new Error('a feed has one root at most')
  return root
}

/** The column with the root of a record. Undefined for a resource without roots, whose records every feed has. */
export function rootColumn ({ name, links }: Resource, root: Root | undefined): string | undefined {
  return name === root?.name ? 'id' : links.find(({ to }) => to === root?.name)?.column
}

/** The ids of a parameter, in order and without repetitions. */
export function rootsOf (ids: unknown): number[] | undefined {
  return Array.isArray(ids) ? [...new Set(ids.map(recordId))].sort((a, b) => a - b) : undefined
}

/** The ids of `q.roots`. */
export const rootIds = "string_to_array(q.roots, ',')::bigint[]"

/** Columns of a feed that is limited to roots. */
export const limitColumns: Columns = [['roots', 'text'], ['after_root', 'bigint'], ['current', 'int']]
