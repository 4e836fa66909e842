import { sendAgain } from './again.js'
import { unblock } from './blocked.js'
import { bodyIn } from './input.js'
import { isSameRecord, waitingIn } from './order.js'
import { withTexts } from './own-refusals.js'
import { bodyOf, withLocalIds } from './records.js'
import { visibleGeneration } from './scope.js'
import { recordsOf } from './server-ids.js'

/** @import { Blocked, Conflict, Id, Refused, Resource, Store } from './index.d.ts' */
/** @import { Edit, Values } from './edit.js' */
/** @import { Edits } from './edits.js' */
/** @import { Scope } from './scope.js' */
/** @import { StoreParts } from './parts.d.ts' */
/** @typedef {(work: (edits: Edits) => Promise<void>) => Promise<void>} ChangeEdits changes edits, only of the scope that was read */
/** @typedef {Pick<Store, 'status' | 'conflicts' | 'refused' | 'blocked'>} Summary */

/** @type {Summary} */
export const noSummary = {
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
 * @param {Scope} scope
 * @param {StoreParts} store resolves them
 * @returns {Promise<Summary>}
 */
export async function readSummary (scope, store) {
  const { lastSync, revision, error, code } = await scope.state()
  const edits = await scope.allEdits()
  const theirs = await theirsIn(scope, edits)
  const waiting = waitingIn(edits)
  /** @type {Map<string, Edit[]>} */
  const open = new Map()
  for (const edit of edits.filter(({ status }) => status === 'conflict')) {
    const key = `${edit.resource}/${edit.record}`
    open.set(key, [...open.get(key) ?? [], edit])
  }
  const change = async (/** @type {(edits: Edits) => Promise<void>} */ work) => await store.changeEdits(work, scope.prefix)
  const conflicts = [...open.values()].map(some => conflictOf(change, some, [...waiting], theirs))
  const refused = edits.filter(({ status }) => status === 'refused').map(edit => refusedOf(change, edit, store.language))
  const blocked = edits.filter(({ status }) => status === 'blocked').map(edit => blockedOf(change, edit, store.language))
  const pending = edits.filter(edit => edit.status === 'sent' || (edit.status === 'queued' && !waiting.has(edit))).length
  const counts = { pending, waiting: waiting.size, conflicts: conflicts.length, refused: refused.length, blocked: blocked.length }
  return { status: { ...counts, lastSync, revision, error, code }, conflicts, refused, blocked }
}

/**
 * Finds the server's values of fields in conflict: those of its record, unless the answer to the edit is newer.
 * @param {Scope} scope
 * @param {Edit[]} edits
 * @returns {Promise<(edit: Edit, field: string) => unknown>}
 */
export async function theirsIn (scope, edits) {
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

/**
 * @param {ChangeEdits} change
 * @param {Edit[]} edits of one record, in conflict
 * @param {Edit[]} waiting edits that wait, also of other records
 * @param {(edit: Edit, field: string) => unknown} theirs
 * @returns {Conflict}
 */
function conflictOf (change, edits, waiting, theirs) {
  const { resource, record } = /** @type {Edit} */ (edits[0])
  /** @type {Conflict['fields']} */
  const fields = {}
  const later = waiting.filter(edit => isSameRecord(edit, { resource, record }))
  for (const edit of edits) {
    for (const field of Object.keys(edit.result?.fields ?? {})) {
      const first = Object.hasOwn(fields, field) ? fields[field]?.base : edit.base?.[field]
      const latest = later.findLast(({ body = {} }) => Object.hasOwn(body, field)) ?? edit
      fields[field] = { base: first, mine: latest.body?.[field], theirs: theirs(edit, field) }
    }
  }
  const send = async (/** @type {{ body?: Values, without?: string[] }} */ values) => await change(async (all) => {
    // It can be over: the store synchronizes meanwhile.
    if (!all.of(resource, record).some(({ status }) => status === 'conflict')) return
    const resolves = (/** @type {string} */ field, /** @type {unknown} */ present) => fields[field]?.theirs === present
    const { body, without } = values
    const conflicts = { theirs: await theirsIn(all.scope, all.all), resolves }
    sendAgain(all, { op: 'update', resource, record, body }, { without, conflicts })
  })
  return {
    resource: /** @type {Resource} */ (resource),
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

/** @param {ChangeEdits} change @param {Edit} edit @param {'en' | 'es'} [language] @returns {Refused} */
function refusedOf (change, { number, resource, record, op, body = {}, result }, language) {
  const { status = 0, code = 'invalid', detail = '', errors = {}, codes = {} } = result === undefined ? {} : withTexts(result, language)
  return {
    resource: /** @type {Resource} */ (resource),
    id: /** @type {Id} */ (record),
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

/** @param {ChangeEdits} change @param {Edit} edit @param {'en' | 'es'} [language] @returns {Blocked} */
function blockedOf (change, { number, resource, record, op, body = {}, result }, language) {
  const { status = 0, code = '', detail = '' } = result === undefined ? {} : withTexts(result, language)
  /** The entry can be over: the store synchronizes meanwhile. @param {(edits: Edits, edit: Edit) => void} work */
  const whileBlocked = async work => await change(async (edits) => {
    const edit = edits.find(number)
    if (edit?.status === 'blocked') work(edits, edit)
  })
  return {
    resource: /** @type {Resource} */ (resource),
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
