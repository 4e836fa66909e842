import { isAccountOperation, type Access, type Level } from '../../auth/access.ts'
import { levelsOf } from './operation.ts'
import type { Schema } from './standard.ts'

/** The names of the levels (NIVELES_ACCESO). */
export const levelNames: Record<Level, string> = { 1: 'Auxiliar', 2: 'Coordinador', 3: 'Director', 4: 'Corporativo', 5: 'Soporte', 6: 'Superusuario' }

/** What a route asks of its caller, in words. */
export function describedAccess (access: Access): string {
  if (access === 'public') return 'Needs no token.'
  if (access === 'refresh') return 'Needs an access token of the same session, which may be past its expiry.'
  if (access === 'account') return 'Needs an access token, of whatever level.'
  const levels = levelsOf(access) as readonly Level[]
  const where = isAccountOperation(access) ? "the account's own" : 'in the active company'
  return `Needs level ${inWords(levels)}, ${where}.`
}

function inWords (levels: readonly Level[]): string {
  const named = levels.map(level => `${level} ${levelNames[level]}`)
  return named.length === 1 ? named[0] as string : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`
}

/** The same for machines: the security that OpenAPI has and, where a level is needed, the levels. */
export function accessOf (access: Access): Schema {
  const levels = levelsOf(access)
  return {
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...levels === undefined ? {} : { 'x-nivel-acceso': levels }
  }
}
