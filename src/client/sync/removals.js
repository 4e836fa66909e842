import { referencesOf, versionAfter } from './edit.js'
import { isSameRecord, recordOf, waitingIn } from './order.js'
import { withEdits, withLocalIds } from './records.js'
import { hasParts, namesIn, partsIn, referringAmong, referringIn } from './referring.js'
import { resources } from './resources.js'
import { visibleGeneration } from './scope.js'
import { recordsOf } from './server-ids.js'

/** @import { Edit, Seen, Values } from './edit.js' */
/** @import { Edits } from './edits.js' */
/** @import { Name } from './referring.js' */

// Own edits of other records can raise the version of a removed record: a line raises that of its estimate. The removal is sent after the
// feed has shown them. If the feed shows what the user saw, changed only by own edits, the removal expects the version of the feed.

/**
 * What the user sees of a record, if earlier edits of other records can raise its version. These records refer to it, or records that refer
 * to it also refer to them: a new price of a concept changes the amounts of estimates.
 * @param {Edits} edits
 * @param {Name} name
 * @param {Values} [server] the server's record
 * @returns {Promise<Seen | undefined>} undefined also where the copy does not show what the server would remove with the record
 */
export async function seenBefore ({ all, scope }, name, server) {
  const state = await scope.state()
  const waiting = waitingIn(all)
  const open = all.filter(edit => isOnItsWay(edit) && !waiting.has(edit) && !isSameRecord(edit, name))
  if (open.length === 0 || !hasParts(state, name.resource)) return undefined
  const localIdOf = await scope.localIds()
  const referring = await referringIn(scope, visibleGeneration(state), name, localIdOf)
  const related = new Set([...referring, ...referringAmong(all, name, localIdOf)].flatMap(namesIn))
  const after = new Set(open.map(recordOf).filter(key => related.has(key)))
  return after.size === 0 ? undefined : { after: [...after], record: server, parts: partsIn(referring, name.resource) }
}

/** Whether the server can have the edit, or will have it, and the feed has not shown it. @param {Edit} edit */
function isOnItsWay ({ status }) {
  return status === 'queued' || status === 'sent' || status === 'accepted'
}

/**
 * Edits up to the first removal that must wait for the feed: earlier edits that can raise its version are sent now, were accepted, or were
 * sent without an answer of the server.
 * @param {Edit[]} all in order
 * @param {Edit[]} edits of them that can be sent
 * @param {Set<number>} unanswered numbers of edits that are left out, although the server can have them
 */
export function upToUnseen (all, edits, unanswered) {
  const isUnseen = (/** @type {Edit} */ other) => other.status === 'accepted' || edits.includes(other) || unanswered.has(other.number)
  const end = edits.findIndex(({ number, status, seen }) => status === 'queued' && seen !== undefined && all.some(other => (
    other.number < number && seen.after.includes(recordOf(other)) && isUnseen(other))))
  return end < 0 ? edits : edits.slice(0, end)
}

/**
 * Gives queued removals the versions of the records, if these are what the user saw with the accepted edits.
 * @param {Edits} edits
 * @param {number} generation of the records
 */
export async function takeVersions (edits, generation) {
  const { all, scope, state } = edits
  const removals = all.filter(({ status, seen }) => status === 'queued' && seen !== undefined)
  if (removals.length === 0) return
  const accepted = all.filter(({ status }) => status === 'accepted')
  const localIdOf = await scope.localIds()
  const records = await recordsOf(scope, generation, removals)
  for (const [index, removal] of removals.entries()) {
    const { resource, record, seen } = /** @type {Edit & { seen: Seen }} */ (removal)
    const own = accepted.filter(edit => isSameRecord(edit, removal))
    const expected = withEdits(resource, record, seen.record, own, scope.company)
    const present = records[index] && withLocalIds(resource, records[index], localIdOf)
    const parts = partsIn(await referringIn(scope, generation, removal, localIdOf), resource)
    const known = withAccepted(seen.parts, parts, accepted)
    const isSeen = expected !== undefined && present !== undefined && hasParts(state, resource) &&
      isSameParts(known, parts) && isSameContent(resource, expected, present, { ...seen, parts })
    edits.change(removal, isSeen
      ? { version: present['version'], seen: { ...seen, record: present, parts } }
      : { seen: { ...seen, record: expected, parts: known } })
  }
}

/**
 * The parts that the user saw, with what accepted edits have changed.
 * @param {Record<string, number>} seen
 * @param {Record<string, number>} present
 * @param {Edit[]} accepted
 */
function withAccepted (seen, present, accepted) {
  const known = { ...seen }
  for (const key of Object.keys({ ...seen, ...present })) {
    const own = accepted.filter(edit => recordOf(edit) === key)
    const version = own.at(-1)?.op === 'delete' ? undefined : versionAfter(seen[key], own)
    if (version === undefined) delete known[key]
    else known[key] = version
  }
  return known
}

/** @param {Record<string, number>} one @param {Record<string, number>} other */
function isSameParts (one, other) {
  return Object.keys({ ...one, ...other }).every(key => one[key] === other[key])
}

/**
 * Whether a record has the expected values in the fields that bodies can write. A sum can differ if there are records that it adds up, or
 * it is the default value after edits of such records.
 * @param {string} resource
 * @param {Values} expected
 * @param {Values} present
 * @param {Pick<Seen, 'after' | 'parts'>} seen
 */
function isSameContent (resource, expected, present, { after, parts }) {
  /** @type {{ fields: string[], defaults: Values, decimals?: string[], sums?: Record<string, string[]> }} */
  const { fields, defaults, decimals = [], sums = {} } = resources[/** @type {keyof typeof resources} */ (resource)]
  return fields.every((field) => {
    const name = referencesOf(resource)[field]?.field ?? field
    const areSummed = (/** @type {string[]} */ keys) => keys.some(key => sums[field]?.some(of => key.startsWith(`${of}/`)))
    if (isSameValue(expected[name], present[name], decimals.includes(field)) || areSummed(Object.keys(parts))) return true
    return present[name] === defaults[field] && areSummed(after)
  })
}

/**
 * Whether two values are the same, even if the server writes the value of an own edit differently: a decimal with all its places, a text
 * without spaces at its ends. Codes such as `1.1` and `1.10` are texts.
 * @param {unknown} one
 * @param {unknown} other
 * @param {boolean} isDecimal
 */
function isSameValue (one, other, isDecimal) {
  if (one === other) return true
  if (one == null || other == null) return false
  const [first, second] = [one, other].map(value => isDecimal ? withoutZeros(String(value)) : String(value).trim())
  return first === second
}

/** @param {string} decimal @returns it without zeros that do not matter */
function withoutZeros (decimal) {
  const [, sign, digits, places = ''] = /^\s*(-?)0*(\d+)(?:\.(\d*?)0*)?\s*$/.exec(decimal) ?? []
  return digits === undefined ? decimal : `${digits === '0' && places === '' ? '' : sign}${digits}${places === '' ? '' : `.${places}`}`
}
