import { randomUuid } from '../random.ts'
import { referencesOf } from './edit.ts'
import { Edits } from './edits.ts'
import { forgetServerIds, keepServerIds, namedIn } from './server-ids.ts'
import type { Edit, Reason, Values } from './edit.ts'
import type { Copy, Scope, ServerId } from './scope.ts'

export function emptyCopy (generation: number): Copy {
  return { generation, counts: {} }
}

/**
 * Begins another copy. The app sees the previous one until it is complete. The server can have lost commits, also where it names another
 * reason. So accepted edits that no copy has shown are sent again: the server runs them only if it has lost them.
 */
export async function startAgain (scope: Scope) {
  const edits = await Edits.load(scope)
  const { state } = edits
  const { copy, next } = state
  if (next !== undefined) await removeRecords(scope, next.generation)
  edits.state = { ...state, next: emptyCopy(Math.max(copy?.generation ?? 0, next?.generation ?? 0) + 1) }
  const accepted = edits.all.filter(({ status }) => status === 'accepted')
  for (const edit of accepted) edits.change(edit, { status: 'sent', result: undefined })
  await edits.save()
}

/** Begins a copy of other records, after the present one was completed. */
export async function chooseAgain (scope: Scope) {
  const state = await scope.state()
  await scope.saveState({ ...state, next: { ...emptyCopy((state.copy?.generation ?? 0) + 1), isChosen: true } })
}

/**
 * After another copy: on a restored server, an id can belong to another record, which was created at another time. A record created here
 * has the id that the copy shows for it. The ids of lost records are forgotten, and edits that name lost records refused.
 *
 * A record that is not in a copy of some contracts can be one of another contract. If the server was not restored, edits of it stay.
 * Otherwise they are refused, because its id can belong to another record.
 * @param copy the new one
 * @param complete resources with all of their records
 */
export async function leaveLostTimeline (scope: Scope, { generation, isChosen }: Copy, complete: string[]) {
  const isOutside = (resource: string, present: string | undefined) => (
    present === undefined && !complete.includes(resource))
  const times = async (records: string[]) => await timesOfCreation(scope, generation, records)
  await keepServerIds(scope, await namedIn(scope, generation))
  const entries = await scope.list<ServerId>(scope.serverIds)
  const known = entries.map(([key, serverId]) => [key.slice(scope.serverIds.length), serverId] as const)
  const present = await times(known.map(([, { resource, id }]) => `${resource}/${id}`))
  // A record without a time was in no copy: it is lost, or another device has removed it.
  const forgotten = known.filter(([, { resource, created }], index) => (
    (created === undefined || created !== present[index]) && !(isChosen && isOutside(resource, present[index]))))
  await forgetServerIds(scope, forgotten.map(([id]) => id))

  const edits = await Edits.load(scope)
  const creations = edits.all.filter(({ op, status }) => op === 'create' && (status === 'sent' || status === 'queued'))
  const created = new Set(creations.map(({ record }) => record))
  const createdAgain = new Set(forgotten.filter(([id]) => created.has(id)).map(([, { resource, id }]) => `${resource}/${id}`))
  /** Numbers of edits. */
  const following = new Set<number>()
  for (const edit of [...edits.all]) {
    const { op, createdAt = {}, status, result } = edit
    const keys = Object.keys(createdAt)
    const now = await times(keys)
    const outside = new Set(keys.filter((key, index) => isOutside(resourceOf(key), now[index])))
    const lost = status === 'accepted'
      ? []
      : keys.filter((key, index) => createdAt[key] !== now[index] && !(isChosen && outside.has(key)))
    const reason: Reason = lost.some(key => outside.has(key)) ? 'unknown' : 'lost'
    if (lost.length > 0 && op === 'delete' && reason === 'lost') {
      edits.drop([edit])
    } else if (lost.length > 0) {
      const refusal = { id: edit.number, status: 404, code: 'not_found', reason }
      edits.change(edit, { ...withoutLost(edit, lost), status: 'refused', result: refusal })
      if (lost.every(key => createdAgain.has(key)) && (status === 'sent' || status === 'queued')) following.add(edit.number)
    } else if (status === 'conflict' && result?.record !== undefined) {
      // The answer shows values of the earlier timeline, so the record of the copy counts.
      edits.change(edit, { result: { ...result, record: { ...result.record, version: 0 } } })
    }
  }
  // Behind the creations of the records that they name, with the edits that were made after them.
  const first = Math.min(...following)
  edits.move(edits.all.filter(({ number, status }) => following.has(number) || (number > first && status === 'queued')))
  await edits.save()
}

/**
 * An edit with new ids in place of those of lost records, which can belong to other records.
 * @param lost as `resource/id`
 */
function withoutLost ({ resource, record, body, base, createdAt = {} }: Edit, lost: string[]): Partial<Edit> {
  const replaced = <T>(resource: string, id: T) => lost.includes(`${resource}/${id}`) ? randomUuid() : id
  const references = referencesOf(resource)
  const values = (all: Values | undefined) => all && Object.fromEntries(Object.entries(all).map(([field, value]) => {
    const reference = references[field]
    return [field, reference === undefined ? value : replaced(reference.resource, value)]
  }))
  const left = Object.entries(createdAt).filter(([key]) => !lost.includes(key))
  return { record: replaced(resource, record), body: values(body), base: values(base), createdAt: Object.fromEntries(left) }
}

/**
 * The times of creation of records in a copy; undefined for records that it does not have.
 * @param records as `resource/id`
 */
export async function timesOfCreation (scope: Scope, generation: number, records: string[]) {
  const found = await scope.read<Values>(records.map((record) => {
    const [, id] = record.split('/')
    return scope.recordKey(generation, resourceOf(record), Number(id))
  }))
  return found.map(record => record?.['created_at'])
}

/** @param record as `resource/id` */
function resourceOf (record: string) {
  return record.slice(0, record.indexOf('/'))
}

export async function removeRecords (scope: Scope, generation: number) {
  const records = await scope.transaction.list(scope.recordsPrefix(generation))
  await scope.transaction.write(records.map(([key]) => [key, undefined]))
}
