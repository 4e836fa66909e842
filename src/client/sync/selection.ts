import { isLocalId } from './edit.ts'
import { idIn } from './input.ts'
import { resources, usual } from './resources.ts'
import type { Id, Resource } from './types.ts'
import type { Scope, SelectionQuery } from './scope.ts'

/** The records that a store copies. */
export interface Selection {
  /** With the resources that they refer to, in the order of the feed. */
  resources: Resource[]
  /** Contracts to which the copy is limited. */
  contracts?: Id[]
}

/** Maximum contracts of a selection, the server's limit. */
const maxContracts = 100

export const allResources = Object.keys(resources) as Resource[] // the type of `keys` has no names

/** The name of a resource. @throws {TypeError} for another text */
export function resourceNamed (name: string): Resource {
  if (!isResource(name)) throw new TypeError(`there is no resource ${name}`)
  return name
}

const isResource = (name: unknown): name is Resource => allResources.some(one => one === name)

/**
 * Checks the options that select records. Resources that a named one refers to are added: after a restore of the server, the copy then
 * shows which of its records are lost.
 * @throws {TypeError}
 */
export function selectionIn ({ resources: names, contracts }: { resources?: unknown, contracts?: unknown }): Selection {
  const wanted = names === undefined ? usual : listIn('resources', names, "['conceptos', 'generadores']")
  const unknown = wanted.find(name => !isResource(name))
  const known = allResources.join(', ')
  if (unknown !== undefined) throw new TypeError(`openStore: \`resources\` has ${String(unknown)}, which is not one of ${known}.`)
  const needed = neededBy(wanted.filter(isResource))
  const selected = allResources.filter(name => needed.has(name))
  if (contracts === undefined) return { resources: selected }
  const ids = [...new Set(listIn('contracts', contracts, '[57, 61]').map(id => idIn('openStore: contracts', id)))]
  if (ids.length > maxContracts) throw new TypeError(`openStore: \`contracts\` has ${ids.length} ids, and can have ${maxContracts}.`)
  return { resources: selected, contracts: ids }
}

/** The query of a selection. A contract that was created here and that the server does not have yet is left out. */
export async function queryOf (scope: Scope, { resources, contracts }: Selection): Promise<SelectionQuery> {
  const isUsual = resources.join() === usual.join()
  const limit = contracts && await serverIdsIn(scope, contracts)
  return { ...!isUsual && { resources }, ...limit !== undefined && { contracts: limit } }
}

/** Whether two queries are of the same records. */
export function isSameSelection (one: SelectionQuery, other: SelectionQuery = {}) {
  return one.resources?.join() === other.resources?.join() && one.contracts?.join() === other.contracts?.join()
}

async function serverIdsIn (scope: Scope, contracts: Id[]) {
  const known = await scope.serverIdsOf(contracts.filter(isLocalId))
  const ids = contracts.flatMap(id => isLocalId(id) ? known.get(id)?.id ?? [] : [Number(id)])
  // The feed takes no empty list, and no contract has the id 0.
  return ids.length === 0 ? ['0'] : [...new Set(ids)].sort((one, other) => one - other).map(String)
}

/** Resources, with the resources that they refer to. */
function neededBy (names: readonly Resource[]): Set<Resource> {
  const needed = new Set(names)
  for (const name of needed) for (const { resource } of Object.values(resources[name].references)) needed.add(resource)
  return needed
}

function listIn (option: string, value: unknown, example: string): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new TypeError(`openStore: \`${option}\` needs a list such as ${example}. Leave it out for the default.`)
}
