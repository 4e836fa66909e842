import type { LightMyRequestResponse } from 'fastify'
import type { ConstraintMeaning } from '../../../src/resources/declaration/constraint.ts'
import { resources as registered } from '../../../src/domain/resources.ts'
import type { Resource } from '../../../src/resources/declaration/resource.ts'
import type { Agreeing } from '../../support/agreeing.ts'
import type { Client } from '../../support/helper.ts'

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

/** One break of a rule, through the API and with psql. */
export interface Break {
  http: () => Promise<LightMyRequestResponse>
  psql: readonly [text: string, values: unknown[]]
}

/** The breaks of a resource by the names of its rules. `breaks.ts` in the folder of the resource exports it as `breaks`. */
export type BreaksOf = (server: Agreeing) => Record<string, () => Promise<Break>>

/** Fields whose columns have an id. */
const references = new Set(['company', ...registered.flatMap(({ references }) => Object.keys(references))])

/** The breaks by a change of a record and by a new record. */
export function breaking ({ send, post }: Client) {
  return {
    /** @param by email address of the user of the transaction with psql, which has none otherwise */
    edit (resource: string, id: unknown, fields: Record<string, unknown>, { by }: { by?: string } = {}): Break {
      const sets = Object.keys(fields).map((field, place) => `${field} = $${place + 2}`).join(', ')
      const user = by === undefined ? '' : ` from (select set_config('app.user', (select id::text from users where email = '${by}'), true)) s`
      const where = `id = $1${by === undefined ? '' : ' and s is not null'}`
      return {
        http: async () => await send('PATCH', `${resource}/${String(id)}/`, fields),
        psql: [`update ${resource} set ${sets}${user} where ${where}`, [id, ...Object.values(fields)]]
      }
    },
    add (resource: string, body: Record<string, unknown>): Break {
      const row = Object.entries({ company: 1, ...body }).map(([field, value]) => [references.has(field) ? `${field}_id` : field, value] as const)
      return {
        http: async () => await post(`${resource}/`, body),
        psql: [`insert into ${resource} (${row.map(([column]) => column).join(', ')}) values (${row.map((_, place) => `$${place + 1}`).join(', ')})`, row.map(([, value]) => value)]
      }
    }
  }
}
