import type { Access, Level } from '../auth/access.ts'
import { isAccountOperation } from '../auth/authority.ts'
import { levelsOf } from './operation.ts'
import type { Schema } from './standard.ts'

/** The names of the levels (NIVELES_ACCESO). */
const levelNames: Record<Level, string> = {
  1: 'Auxiliar',
  2: 'Coordinador',
  3: 'Director',
  4: 'Corporativo',
  5: 'Soporte',
  6: 'Superusuario'
}

/** The token and levels that a route needs, as text for the description of its operation. */
export function describedAccess (access: Access): string {
  if (access === 'public') return 'Needs no token.'
  if (access === 'refresh') return 'Needs an access token of the same session, which may have expired.'
  if (access === 'account') return 'Needs an access token of any level.'
  const levels = levelsOf(access) ?? []
  return isAccountOperation(access) ? `Needs account level ${inWords(levels)}.` : `Needs level ${inWords(levels)} in the active company.`
}

function inWords (levels: readonly Level[]): string {
  const named = levels.map(level => `${level} ${levelNames[level]}`)
  return named.length === 1 ? named[0] : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`
}

/** The same for programs: OpenAPI security and, if the route needs a level, `x-nivel-acceso`. */
export function accessOf (access: Access): Schema {
  const levels = levelsOf(access)
  return {
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...levels === undefined ? {} : { 'x-nivel-acceso': levels }
  }
}
