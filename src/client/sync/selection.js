import { isLocalId } from './edit.js'
import { idIn } from './input.js'
import { resources, usual } from './resources.js'

/** @import { Id, Resource } from './index.d.ts' */
/** @import { Scope, SelectionQuery } from './scope.js' */

/**
 * The records that a store copies.
 * @typedef {object} Selection
 * @property {Resource[]} resources with the resources that they refer to, in the order of the feed
 * @property {Id[]} [contracts] contracts to which the copy is limited
 */

/** Maximum contracts of a selection, the server's limit. */
const maxContracts = 100

/** @type {Resource[]} */
const all = /** @type {any} */ (Object.keys(resources))

/**
 * Checks the options that select records. Resources that a named one refers to are added: after a restore of the server, the copy then
 * shows which of its records are lost.
 * @param {{ resources?: unknown, contracts?: unknown }} options
 * @returns {Selection}
 * @throws {TypeError}
 */
export function selectionIn ({ resources: names, contracts }) {
  const wanted = names === undefined ? usual : listIn('resources', names, "['conceptos', 'generadores']")
  const unknown = wanted.find(name => !all.includes(/** @type {Resource} */ (name)))
  if (unknown !== undefined) throw new TypeError(`openStore: \`resources\` has ${String(unknown)}, which is not one of ${all.join(', ')}.`)
  const needed = neededBy(/** @type {Resource[]} */ (wanted))
  const selected = all.filter(name => needed.has(name))
  if (contracts === undefined) return { resources: selected }
  const ids = [...new Set(listIn('contracts', contracts, '[57, 61]').map(id => idIn('openStore: contracts', id)))]
  if (ids.length > maxContracts) throw new TypeError(`openStore: \`contracts\` has ${ids.length} ids, and can have ${maxContracts}.`)
  return { resources: selected, contracts: ids }
}

/**
 * The query of a selection. A contract that was created here and that the server does not have yet is left out.
 * @param {Scope} scope
 * @param {Selection} selection
 * @returns {Promise<SelectionQuery>}
 */
export async function queryOf (scope, { resources, contracts }) {
  const isUsual = resources.join() === usual.join()
  const limit = contracts && await serverIdsIn(scope, contracts)
  return { ...!isUsual && { resources }, ...limit !== undefined && { contracts: limit } }
}

/** Whether two queries are of the same records. @param {SelectionQuery} one @param {SelectionQuery} [other] */
export function isSameSelection (one, other = {}) {
  return one.resources?.join() === other.resources?.join() && one.contracts?.join() === other.contracts?.join()
}

/** @param {Scope} scope @param {Id[]} contracts */
async function serverIdsIn (scope, contracts) {
  const known = await scope.serverIdsOf(contracts.filter(isLocalId))
  const ids = contracts.flatMap(id => isLocalId(id) ? known.get(id)?.id ?? [] : [Number(id)])
  // The feed takes no empty list, and no contract has the id 0.
  return ids.length === 0 ? ['0'] : [...new Set(ids)].sort((one, other) => one - other).map(String)
}

/** Resources, with the resources that they refer to. @param {readonly Resource[]} names @returns {Set<Resource>} */
function neededBy (names) {
  const needed = new Set(names)
  for (const name of needed) for (const { resource } of Object.values(resources[name].references)) needed.add(resource)
  return needed
}

/** @param {string} option @param {unknown} value @param {string} example @returns {unknown[]} */
function listIn (option, value, example) {
  if (Array.isArray(value) && value.length > 0) return value
  throw new TypeError(`openStore: \`${option}\` needs a list such as ${example}. Leave it out for the default.`)
}
