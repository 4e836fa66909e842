import { isSameRecord } from './order.js'
import { padded, visibleGeneration } from './scope.js'

/** @import { Edit, Reason, Result, Values } from './edit.js' */
/** @import { Edits } from './edits.js' */
/** @import { Id } from './index.d.ts' */
/** @import { Scope } from './scope.js' */

/**
 * A file that was added on this device.
 * @typedef {object} FileEntry
 * @property {number} number of the edit that created its attachment
 * @property {string} id of its attachment
 * @property {string} nombre
 * @property {string} tipo media type
 * @property {number} bytes
 * @property {string} sha256
 * @property {number} sent bytes that the server is known to have
 * @property {number} [done] generation of the copy when the server had all bytes
 * @property {Result} [failure] why the server does not take the bytes
 * @property {number} [faults] times in a row that a proxy or connection has let other requests through, and no further bytes
 * @property {Result & { reason: Reason, at: number }} [blocked] set apart since `at`, in ms since 1970: a proxy or connection does not
 *   let it through
 * @property {true} [isRemoved] the attachment was removed on this device
 */

/**
 * A file with what the records and edits say about it.
 * @typedef {object} KnownFile
 * @property {FileEntry} file
 * @property {number} [serverId] of its attachment
 * @property {Values} [record] the server's attachment, if the copy has it
 * @property {Edit[]} edits of its attachment
 * @property {boolean} isDone whether the server has the bytes
 */

export const attachments = 'adjuntos'

/** Bytes of an entry of the storage. Only the entries that a request needs are read. */
const partBytes = 128 * 1024
/** Bytes that all files of a user in a company have together. */
export const maxTotalBytes = 128 * 2 ** 20
/** Bytes of files that stay on this device after the server has them. */
const maxKeptBytes = 16 * 2 ** 20

/**
 * Key of a part of a file. `clear` reads all entries below the user's prefix, so the parts are elsewhere.
 * @param {string} key of the file
 * @param {number} index
 */
const partKey = (key, index) => `bytes/${key}/${padded(index)}`

/** Key of a file. @param {Scope} scope @param {FileEntry} file */
const keyOf = (scope, { number }) => `${scope.files}${padded(number)}`

/** The keys of a file and of its bytes. @param {string} key of the file @param {FileEntry} file */
export function keysOf (key, { bytes }) {
  return [key, ...Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => partKey(key, index))]
}

/** The files, the earliest first. @param {Scope} scope */
async function filesIn (scope) {
  return (await scope.transaction.list(scope.files)).map(([, file]) => /** @type {FileEntry} */ (file))
}

/**
 * Keeps a file. If there is no room, files that the server has are dropped.
 * @param {Scope} scope
 * @param {FileEntry} file
 * @param {Uint8Array} content
 * @returns {Promise<boolean>} whether there is room
 */
export async function addFile (scope, file, content) {
  const kept = await knownFiles(scope, await scope.allEdits())
  const all = kept.reduce((sum, { file }) => sum + file.bytes, file.bytes)
  const done = kept.filter(({ isDone }) => isDone)
  if (all > maxTotalBytes) await dropFiles(scope, done.map(({ file }) => file))
  if (all - done.reduce((sum, { file }) => sum + file.bytes, 0) > maxTotalBytes) return false
  const key = keyOf(scope, file)
  await saveFile(scope, file)
  // Copies: a view would be stored with all bytes that it is a view of.
  const parts = keysOf(key, file).slice(1).map((part, index) => /** @type {[string, Uint8Array]} */ (
    [part, content.slice(index * partBytes, (index + 1) * partBytes)]))
  await scope.transaction.write(parts)
  return true
}

/** @param {Scope} scope @param {FileEntry} file */
export async function saveFile (scope, file) {
  await scope.transaction.write([[keyOf(scope, file), file]])
}

/** @param {Scope} scope @param {FileEntry[]} files */
export async function dropFiles (scope, files) {
  await scope.transaction.write(files.flatMap(file => keysOf(keyOf(scope, file), file)).map(key => [key, undefined]))
}

/**
 * Finds a file by the id of its attachment.
 * @param {Scope} scope
 * @param {Id} id
 * @returns {Promise<FileEntry | undefined>}
 */
export async function findFile (scope, id) {
  const files = await filesIn(scope)
  const serverIds = await scope.serverIdsOf(files.map(file => file.id))
  return files.find(file => file.id === id || serverIds.get(file.id)?.id === id)
}

/**
 * Reads a part of a file.
 * @param {Scope} scope
 * @param {FileEntry} file
 * @param {number} [start]
 * @param {number} [end]
 * @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} undefined if the device no longer has it
 */
export async function readFile (scope, file, start = 0, end = file.bytes) {
  const first = Math.floor(start / partBytes)
  const keys = keysOf(keyOf(scope, file), file).slice(1 + first, 1 + Math.ceil(end / partBytes))
  const parts = /** @type {Array<Uint8Array<ArrayBuffer> | undefined>} */ (await scope.transaction.read(keys))
  const found = parts.filter(part => part !== undefined)
  if (found.length < parts.length) return undefined
  const bytes = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0))
  found.forEach((part, index) => bytes.set(part, index * partBytes))
  return bytes.subarray(start - first * partBytes, end - first * partBytes)
}

/**
 * The files, with what the records and edits say about them.
 * @param {Scope} scope
 * @param {Edit[]} edits
 * @returns {Promise<KnownFile[]>}
 */
export async function knownFiles (scope, edits) {
  const files = await filesIn(scope)
  if (files.length === 0) return []
  const generation = visibleGeneration(await scope.state())
  const serverIds = await scope.serverIdsOf(files.map(({ id }) => id))
  const keys = files.map(({ id }) => scope.recordKey(generation, attachments, serverIds.get(id)?.id ?? 0))
  const records = /** @type {Array<Values | undefined>} */ (await scope.transaction.read(keys))
  return files.map((file, index) => {
    const found = records[index]
    // On a restored server, the id can belong to another attachment.
    const record = found?.['sha256'] === file.sha256 ? found : undefined
    const serverId = serverIds.get(file.id)?.id
    // A newer copy can be of a restored server, which has lost the attachment, or waits for its bytes again.
    const isKept = record === undefined ? serverId !== undefined : file.done === generation
    const isDone = record?.['estado'] === 'listo' || (file.done !== undefined && isKept)
    const own = edits.filter(edit => isSameRecord(edit, { resource: attachments, record: file.id }))
    return { file, serverId, record, edits: own, isDone }
  })
}

/** Whether the attachment of a file was removed on this device. @param {KnownFile} known */
export function isBeingRemoved ({ edits }) {
  return edits.some(({ op, status }) => op === 'delete' && status !== 'refused')
}

/**
 * Drops the files whose attachments no longer exist, and the earliest ones that the server has.
 * @param {Scope} scope
 * @param {KnownFile[]} known
 */
export async function tidyFiles (scope, known) {
  const gone = known.filter(({ file, record, edits, isDone }) => (
    record === undefined && edits.length === 0 && (isDone || file.isRemoved === true)))
  let kept = 0
  const old = known.filter(one => one.isDone && !gone.includes(one)).reverse().filter(({ file }) => {
    kept += file.bytes
    return kept > maxKeptBytes
  })
  const dropped = [...gone, ...old].map(({ file }) => file)
  if (dropped.length > 0) await dropFiles(scope, dropped)
}

/**
 * After an edit: a file whose attachment was discarded is dropped, and one whose attachment is being removed is dropped later, because the
 * server can refuse the removal.
 * @param {Edits} edits
 * @param {Edit[]} before
 */
export async function followRemovals ({ scope, all }, before) {
  if (![...before, ...all].some(({ resource }) => resource === attachments)) return
  for (const known of await knownFiles(scope, all)) {
    const { file, serverId, edits } = known
    const hadEdits = before.some(edit => isSameRecord(edit, { resource: attachments, record: file.id }))
    if (isBeingRemoved(known)) {
      if (file.isRemoved === undefined) await saveFile(scope, { ...file, isRemoved: true })
    } else if (hadEdits && edits.length === 0 && serverId === undefined) {
      await dropFiles(scope, [file])
    }
  }
}
