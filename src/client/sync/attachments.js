import { clientError } from '../errors.js'
import { sendAgain } from './again.js'
import { addFile, attachments, dropFiles, findFile, knownFiles, maxTotalBytes, readFile, saveFile } from './attachment-entries.js'
import { createRecord, removeRecord } from './collection.js'
import { beginExchange } from './exchange.js'
import { bodyIn, idIn } from './input.js'
import { withTexts } from './own-refusals.js'
import { withoutScope } from './scope.js'
import { isSendable, sendAttachments } from './send-attachments.js'
import { requestBytes } from './upload.js'

/** @import { ObraClient } from '../index.d.ts' */
/** @import { FileEntry, KnownFile } from './attachment-entries.js' */
/** @import { Edit, Result, Values } from './edit.js' */
/** @import { Edits } from './edits.js' */
/** @import { DeviceFile, Id, Storage } from './index.d.ts' */
/** @import { Scope } from './scope.js' */
/** @import { Selection } from './selection.js' */
/** @import { StoreParts } from './parts.d.ts' */
/** @typedef {{ shown: DeviceFile[], isSendable: boolean }} FileSummary */

/** Maximum bytes of a file, the server's limit. */
const maxFileBytes = 25 * 2 ** 20

/** @type {FileSummary} */
export const noFiles = { shown: [], isSendable: false }

/** Files of attachments: kept on this device until the server has them. */
export class Files {
  #store
  #client
  #storage
  #selection
  #summary = noFiles
  /** @type {Set<(files: DeviceFile[]) => void>} */
  #listeners = new Set()
  /** Id of the file that is being sent. @type {string | undefined} */
  #sendingId
  #pace = { bytes: requestBytes.first }

  /**
   * @param {StoreParts} store
   * @param {ObraClient} client
   * @param {Storage} storage
   * @param {Selection} selection
   */
  constructor (store, client, storage, selection) {
    this.#store = store
    this.#client = client
    this.#storage = storage
    this.#selection = selection
  }

  get progress () { return this.#summary.shown }
  /** Whether a file can be sent now. */
  get isSendable () { return this.#summary.isSendable }

  /** @param {(files: DeviceFile[]) => void} callback */
  onProgress (callback) {
    this.#listeners.add(callback)
    return () => { this.#listeners.delete(callback) }
  }

  /**
   * @param {Blob} blob
   * @param {Values} fields
   */
  async add (blob, fields) {
    if (!this.#selection.resources.includes(attachments)) {
      throw new TypeError(`files.add: this store has no ${attachments}. Name them in the option \`resources\` of openStore.`)
    }
    if (!(blob instanceof Blob)) throw new TypeError('files.add needs a Blob, such as a File, and then the fields of its attachment.')
    const described = { ...'name' in blob && { nombre: blob.name }, tipo: blob.type, ...fields }
    if (!('nombre' in described)) throw new TypeError('files.add needs `nombre`: this Blob is no File with a name.')
    if (globalThis.crypto?.subtle === undefined) {
      throw new TypeError('files.add needs crypto.subtle, which pages without HTTPS and React Native do not have.')
    }
    if (blob.size > maxFileBytes) throw clientError(413, 'too_large', `A file has at most ${maxFileBytes / 2 ** 20} MiB.`)
    const prefix = await this.#store.transaction('read', async scope => scope?.prefix)
    // Another user can log in while the file is read.
    if (prefix === undefined) throw withoutScope()
    const content = new Uint8Array(await blob.arrayBuffer())
    const values = bodyIn(attachments, 'files.add', { ...described, bytes: content.length, sha256: await sha256Of(content) })
    const { nombre, tipo, bytes, sha256 } = values
    return await this.#store.changeEdits(async (edits) => {
      const record = await createRecord(edits, attachments, values)
      const file = { number: edits.state.last, id: String(record.id), nombre, tipo, bytes, sha256, sent: 0 }
      if (!await addFile(edits.scope, file, content)) throw filesFull()
      return record
    }, prefix)
  }

  async list () {
    return await this.#store.transaction('read', async scope => scope === undefined ? [] : this.#shown(await readFiles(scope, this.#store)))
  }

  /** @param {Id} id */
  async get (id) {
    const known = idIn('files.get', id)
    return await this.#store.transaction('read', async (scope) => {
      const file = scope && await findFile(scope, known)
      return file && await readFile(/** @type {Scope} */ (scope), file)
    })
  }

  /** @param {Id} id */
  async retry (id) {
    await this.#change('files.retry', id, async (edits, file) => {
      const { failure, ...left } = file
      await saveFile(edits.scope, left)
      const creation = edits.of(attachments, file.id).find(({ op, status }) => op === 'create' && status === 'refused')
      if (creation !== undefined) sendAgain(edits, { op: 'update', resource: attachments, record: file.id })
    })
  }

  /** @param {Id} id */
  async discard (id) {
    await this.#change('files.discard', id, async (edits, file) => {
      const [known] = (await knownFiles(edits.scope, edits.all)).filter(({ file: { number } }) => number === file.number)
      if (known?.isDone === false) await removeRecord(edits, attachments, file.id)
      await dropFiles(edits.scope, [file])
    })
  }

  /**
   * Sends the files that can be sent, unless another tab does.
   * @param {AbortSignal} signal
   */
  async send (signal) {
    const read = async () => await this.#store.transaction('read', async scope => scope && await readFiles(scope, this.#store))
    if ((await read())?.isSendable !== true) return
    await this.#storage.lock('files', async () => {
      const exchange = await beginExchange(this.#client, this.#storage, this.#selection, signal)
      try {
        await sendAttachments(exchange, this.#pace, (file) => { this.#sendingId = file?.id })
      } finally {
        await this.#store.refresh()
      }
    }, signal)
  }

  /** Shows a summary, and calls back if it has changed. @param {FileSummary} summary */
  show (summary) {
    const shown = this.#shown(summary)
    const isChanged = JSON.stringify(shown) !== JSON.stringify(this.#summary.shown) || summary.isSendable !== this.#summary.isSendable
    this.#summary = { ...summary, shown }
    if (isChanged) for (const listener of this.#listeners) this.#store.call(listener, shown)
  }

  close () {
    this.#listeners.clear()
  }

  /** @param {FileSummary} summary @returns {DeviceFile[]} */
  #shown ({ shown }) {
    return shown.map(file => file.id === this.#sendingId && file.state === 'waiting' ? { ...file, state: 'sending' } : file)
  }

  /**
   * @param {string} method
   * @param {Id} id
   * @param {(edits: Edits, file: FileEntry) => Promise<void>} work
   */
  async #change (method, id, work) {
    const known = idIn(method, id)
    await this.#store.changeEdits(async (edits) => {
      const file = await findFile(edits.scope, known)
      if (file === undefined) throw clientError(404, 'not_found', 'Not found.')
      await work(edits, file)
    })
  }
}

/**
 * The files as the app sees them.
 * @param {Scope} scope
 * @param {Pick<StoreParts, 'language'>} store
 * @param {Edit[]} [edits]
 * @returns {Promise<FileSummary>}
 */
export async function readFiles (scope, { language }, edits) {
  const known = await knownFiles(scope, edits ?? await scope.allEdits())
  return { shown: known.map(one => shownFile(one, language)), isSendable: known.some(isSendable) }
}

/** @param {KnownFile} known @param {'en' | 'es'} [language] @returns {DeviceFile} */
function shownFile (known, language) {
  const { file: { id, nombre, tipo, bytes, sent }, isDone } = known
  const failure = isDone ? undefined : failureOf(known)
  const error = failure === undefined ? undefined : errorOf(withTexts(failure, language))
  const state = isDone ? 'done' : error === undefined ? 'waiting' : 'failed'
  return { id, nombre, tipo, bytes, sent: isDone ? bytes : sent, state, error }
}

/** Why the bytes, or their attachment, are refused. @param {KnownFile} known @returns {Edit['result']} */
function failureOf ({ file, edits, serverId }) {
  const creation = edits.find(({ op, status }) => op === 'create' && status === 'refused')
  if (creation !== undefined) return creation.result
  // A restored server has lost the attachment.
  if (edits.length === 0 && serverId === undefined) return { id: file.number, status: 404, code: 'not_found', reason: 'lost' }
  return file.failure
}

/** @param {Result} result @returns {DeviceFile['error']} */
function errorOf ({ status, code = 'invalid', detail = '', errors = {}, codes = {} }) {
  return { status, code, detail, errors, codes }
}

/** @param {Uint8Array<ArrayBuffer>} content @returns {Promise<string>} hexadecimal */
async function sha256Of (content) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content))
  return Array.from(hash, byte => byte.toString(16).padStart(2, '0')).join('')
}

function filesFull () {
  const limit = `${maxTotalBytes / 2 ** 20} MiB`
  return clientError(409, 'files_full', `More than ${limit} of your files in this company would wait on this device. Synchronize first.`)
}
