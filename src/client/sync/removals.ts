import { descriptionOf } from './descriptions.ts'
import { referencesOf, versionAfter } from './edit.ts'
import { isSameRecord, recordOf, waitingIn } from './order.ts'
import { withEdits, withLocalIds } from './records.ts'
import { hasParts, namesIn, partsIn, referringAmong, referringIn } from './referring.ts'
import { visibleGeneration } from './scope.ts'
import { recordsOf } from './server-ids.ts'
import type { Edit, Seen, Values } from './edit.ts'
import type { Edits } from './edits.ts'
import type { Name } from './referring.ts'

// Own edits of other records can raise the version of a removed record: a line raises that of its estimate. The removal is sent after the
// feed has shown them. If the feed shows what the user saw, changed only by own edits, the removal expects the version of the feed.

/**
 * What the user sees of a record, if earlier edits of other records can raise its version. These records refer to it, or records that refer
 * to it also refer to them: a new price of a concept changes the amounts of estimates.
 * @param server the server's record
 * @returns undefined also where the copy does not show what the server would remove with the record
 */
export async function seenBefore ({ all, scope }: Edits, name: Name, server?: Values): Promise<Seen | undefined> {
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

/** Whether the server can have the edit, or will have it, and the feed has not shown it. */
function isOnItsWay ({ status }: Edit) {
  return status === 'queued' || status === 'sent' || status === 'accepted'
}

/**
 * Edits up to the first removal that must wait for the feed: earlier edits that can raise its version are sent now, were accepted, or were
 * sent without an answer of the server.
 * @param all in order
 * @param edits of them that can be sent
 * @param unanswered numbers of edits that are left out, although the server can have them
 */
export function upToUnseen (all: Edit[], edits: Edit[], unanswered: Set<number>) {
  const isUnseen = (other: Edit) => other.status === 'accepted' || edits.includes(other) || unanswered.has(other.number)
  const end = edits.findIndex(({ number, status, seen }) => status === 'queued' && seen !== undefined && all.some(other => (
    other.number < number && seen.after.includes(recordOf(other)) && isUnseen(other))))
  return end < 0 ? edits : edits.slice(0, end)
}

/**
 * Gives queued removals the versions of the records, if these are what the user saw with the accepted edits.
 * @param generation of the records
 */
export async function takeVersions (edits: Edits, generation: number) {
  const { all, scope, state } = edits
  const removals = all.filter((edit): edit is Edit & { seen: Seen } => edit.status === 'queued' && edit.seen !== undefined)
  if (removals.length === 0) return
  const accepted = all.filter(({ status }) => status === 'accepted')
  const localIdOf = await scope.localIds()
  const records = await recordsOf(scope, generation, removals)
  for (const [index, removal] of removals.entries()) {
    const { resource, record, seen } = removal
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

/** The parts that the user saw, with what accepted edits have changed. */
function withAccepted (seen: Record<string, number>, present: Record<string, number>, accepted: Edit[]) {
  const known = { ...seen }
  for (const key of Object.keys({ ...seen, ...present })) {
    const own = accepted.filter(edit => recordOf(edit) === key)
    const version = own.at(-1)?.op === 'delete' ? undefined : versionAfter(seen[key], own)
    if (version === undefined) delete known[key]
    else known[key] = version
  }
  return known
}

function isSameParts (one: Record<string, number>, other: Record<string, number>) {
  return Object.keys({ ...one, ...other }).every(key => one[key] === other[key])
}

/**
 * Whether a record has the expected values in the fields that bodies can write. A sum can differ if there are records that it adds up, or
 * it is the default value after edits of such records.
 */
function isSameContent (resource: string, expected: Values, present: Values, { after, parts }: Pick<Seen, 'after' | 'parts'>) {
  const { fields, defaults, decimals = [], sums = {} } = descriptionOf(resource)
  return fields.every((field) => {
    const name = referencesOf(resource)[field]?.field ?? field
    const areSummed = (keys: string[]) => keys.some(key => sums[field]?.some(of => key.startsWith(`${of}/`)))
    if (isSameValue(expected[name], present[name], decimals.includes(field)) || areSummed(Object.keys(parts))) return true
    return present[name] === defaults[field] && areSummed(after)
  })
}

/**
 * Whether two values are the same, even if the server writes the value of an own edit differently: a decimal with all its places, a text
 * without spaces at its ends. Codes such as `1.1` and `1.10` are texts.
 */
function isSameValue (one: unknown, other: unknown, isDecimal: boolean) {
  if (one === other) return true
  if (one == null || other == null) return false
  const [first, second] = [one, other].map(value => isDecimal ? withoutZeros(String(value)) : String(value).trim())
  return first === second
}

/** @returns it without zeros that do not matter */
function withoutZeros (decimal: string) {
  const [, sign, digits, places = ''] = /^\s*(-?)0*(\d+)(?:\.(\d*?)0*)?\s*$/.exec(decimal) ?? []
  return digits === undefined ? decimal : `${digits === '0' && places === '' ? '' : sign}${digits}${places === '' ? '' : `.${places}`}`
}
