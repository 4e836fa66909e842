import { resources } from './resources.js'
import { queueVersion } from './scope.js'

/** @import { Edit } from './edit.js' */
/** @import { Edits, NewEdit } from './edits.js' */

/**
 * Brings a queue of an earlier release to the present form. Earlier releases merged all queued edits of a record, also its first change of state into
 * its creation. The server refuses that, so the change becomes an edit again.
 * @param {Edits} edits
 */
export function upgradeQueue (edits) {
  if (edits.state.queue === queueVersion) return
  edits.state = { ...edits.state, queue: queueVersion }
  const first = edits.all.findIndex(edit => stateIn(edit) !== undefined)
  if (first < 0) return
  const queued = edits.all.slice(first).filter(({ status }) => status === 'queued')
  edits.drop(queued)
  for (const edit of queued.flatMap(separated)) edits.add(edit)
}

/** @param {Edit} edit @returns {NewEdit[]} */
function separated (edit) {
  const state = stateIn(edit)
  if (state === undefined) return [edit]
  const { estado, ...body } = edit.body ?? {}
  return [{ ...edit, body }, { op: 'update', resource: edit.resource, record: edit.record, body: { estado }, base: { estado: state } }]
}

/** The state in which the server creates a record, if a queued creation has another one. @param {Edit} edit */
function stateIn ({ op, status, resource, body = {} }) {
  const defaults = /** @type {Record<string, unknown>} */ (resources[/** @type {keyof typeof resources} */ (resource)].defaults)
  return op === 'create' && status === 'queued' && Object.hasOwn(body, 'estado') && body['estado'] !== defaults['estado'] ? defaults['estado'] : undefined
}
