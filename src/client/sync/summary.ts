import { sendAgain } from './again.ts'
import { unblock } from './blocked.ts'
import { bodyIn } from './input.ts'
import { isSameRecord, waitingIn } from './order.ts'
import { withTexts } from './own-refusals.ts'
import { bodyOf, withLocalIds } from './records.ts'
import { visibleGeneration } from './scope.ts'
import { resourceNamed } from './selection.ts'
import { recordsOf } from './server-ids.ts'
import type { Blocked, Conflict, Refused, Store } from './types.ts'
import type { Edit, Values } from './edit.ts'
import type { Edits } from './edits.ts'
import type { Scope } from './scope.ts'
import type { StoreParts } from './parts.ts'

/** Changes edits, only of the scope that was read. */
type ChangeEdits = (work: (edits: Edits) => Promise<void>) => Promise<void>
export type Summary = Pick<Store, 'status' | 'conflicts' | 'refused' | 'blocked'>

export const noSummary: Summary = {
  status: {
    pending: 0,
    waiting: 0,
    conflicts: 0,
    refused: 0,
    blocked: 0,
    lastSync: undefined,
    revision: undefined,
    error: undefined,
    code: undefined
  },
  conflicts: [],
  refused: [],
  blocked: []
}

/**
 * Status, conflicts, refused and blocked edits.
 * @param store resolves them
 */
export async function readSummary (scope: Scope, store: StoreParts): Promise<Summary> {
  const { lastSync, revision, error, code } = await scope.state()
  const edits = await scope.allEdits()
  const theirs = await theirsIn(scope, edits)
  const waiting = waitingIn(edits)
  const open = new Map<string, Edit[]>()
  for (const edit of edits.filter(({ status }) => status === 'conflict')) {
    const key = `${edit.resource}/${edit.record}`
    open.set(key, [...open.get(key) ?? [], edit])
  }
  const change = async (work: (edits: Edits) => Promise<void>) => await store.changeEdits(work, scope.prefix)
  const conflicts = [...open.values()].map(some => conflictOf(change, some, [...waiting], theirs))
  const refused = edits.filter(({ status }) => status === 'refused').map(edit => refusedOf(change, edit, store.language))
  const blocked = edits.filter(({ status }) => status === 'blocked').map(edit => blockedOf(change, edit, store.language))
  const pending = edits.filter(edit => edit.status === 'sent' || (edit.status === 'queued' && !waiting.has(edit))).length
  const counts = { pending, waiting: waiting.size, conflicts: conflicts.length, refused: refused.length, blocked: blocked.length }
  return { status: { ...counts, lastSync, revision, error, code }, conflicts, refused, blocked }
}

/** Finds the server's values of fields in conflict: those of its record, unless the answer to the edit is newer. */
export async function theirsIn (scope: Scope, edits: Edit[]): Promise<(edit: Edit, field: string) => unknown> {
  const some = edits.filter(({ status, result }) => status === 'conflict' && result?.record !== undefined)
  const records = await recordsOf(scope, visibleGeneration(await scope.state()), some)
  const localIdOf = await scope.localIds()
  const values = new Map(some.map(({ number, resource, result }, index) => {
    const record = records[index]
    const isNewer = record !== undefined && record['version'] >= (result?.record?.version ?? 0)
    return [number, isNewer ? bodyOf(resource, withLocalIds(resource, record, localIdOf)) : {}]
  }))
  return ({ number, result }, field) => {
    const present = values.get(number) ?? {}
    return Object.hasOwn(present, field) ? present[field] : result?.fields?.[field]?.current
  }
}

/** @param edits of one record, in conflict @param waiting edits that wait, also of other records */
function conflictOf (change: ChangeEdits, edits: Edit[], waiting: Edit[], theirs: (edit: Edit, field: string) => unknown): Conflict {
  const { resource, record } = edits[0]
  const fields: Conflict['fields'] = {}
  const later = waiting.filter(edit => isSameRecord(edit, { resource, record }))
  for (const edit of edits) {
    for (const field of Object.keys(edit.result?.fields ?? {})) {
      const first = Object.hasOwn(fields, field) ? fields[field]?.base : edit.base?.[field]
      const latest = later.findLast(({ body = {} }) => Object.hasOwn(body, field)) ?? edit
      fields[field] = { base: first, mine: latest.body?.[field], theirs: theirs(edit, field) }
    }
  }
  const send = async (values: { body?: Values, without?: string[] }) => await change(async (all) => {
    // It can be over: the store synchronizes meanwhile.
    if (!all.of(resource, record).some(({ status }) => status === 'conflict')) return
    const resolves = (field: string, present: unknown) => fields[field]?.theirs === present
    const { body, without } = values
    const conflicts = { theirs: await theirsIn(all.scope, all.all), resolves }
    sendAgain(all, { op: 'update', resource, record, body }, { without, conflicts })
  })
  return {
    resource: resourceNamed(resource),
    id: record,
    fields,
    keepMine: async () => await send({}),
    keepTheirs: async () => await send({ without: Object.keys(fields) }),
    set: async (values) => {
      const body = bodyIn(resource, 'set', values)
      const other = Object.keys(body).find(field => !Object.hasOwn(fields, field))
      if (other !== undefined || Object.keys(body).length === 0) {
        const found = other === undefined ? '' : `, not ${other}`
        throw new TypeError(`set needs values of fields in conflict: ${Object.keys(fields).join(', ')}${found}.`)
      }
      await send({ body })
    }
  }
}

function refusedOf (change: ChangeEdits, { number, resource, record, op, body = {}, result }: Edit, language?: 'en' | 'es'): Refused {
  const { status = 0, code = 'invalid', detail = '', errors = {}, codes = {} } = result === undefined ? {} : withTexts(result, language)
  return {
    resource: resourceNamed(resource),
    id: record,
    op,
    body,
    status,
    code,
    detail,
    errors,
    codes,
    discard: async (fields) => {
      const known = Object.keys(op === 'update' ? body : {})
      const other = fields?.find(field => !known.includes(field))
      if (other !== undefined) throw new TypeError(`discard takes fields of a refused update: ${known.join(', ')}, not ${other}.`)
      await change(async (edits) => {
        // The entry can be over: the store synchronizes meanwhile.
        if (fields === undefined) edits.discard(number)
        else if (edits.find(number)?.status === 'refused') {
          edits.discardFields(number, fields)
          sendAgain(edits, { op: 'update', resource, record, body: {} })
        }
      })
    }
  }
}

function blockedOf (change: ChangeEdits, { number, resource, record, op, body = {}, result }: Edit, language?: 'en' | 'es'): Blocked {
  const { status = 0, code = '', detail = '' } = result === undefined ? {} : withTexts(result, language)
  /** The entry can be over: the store synchronizes meanwhile. */
  const whileBlocked = async (work: (edits: Edits, edit: Edit) => void) => await change(async (edits) => {
    const edit = edits.find(number)
    if (edit?.status === 'blocked') work(edits, edit)
  })
  return {
    resource: resourceNamed(resource),
    id: record,
    op,
    body,
    status,
    code,
    detail,
    retry: async () => await whileBlocked(unblock),
    discard: async () => await whileBlocked(edits => edits.discard(number))
  }
}
