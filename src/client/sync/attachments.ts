import { clientError } from '../errors.ts'
import { addFile, attachments, dropFiles, findFile, knownFiles, maxTotalBytes, readFile, saveFile } from './attachment-entries.ts'
import { unblock } from './blocked.ts'
import { createRecord, removeRecord } from './collection.ts'
import { beginExchange } from './exchange.ts'
import { bodyIn, idIn } from './input.ts'
import { withTexts } from './own-refusals.ts'
import { withoutScope } from './scope.ts'
import { fileTypes, isUnknownType, normalizedType, typeOf } from './media-types.ts'
import { isSendable, sendAttachments } from './send-attachments.ts'
import { requestBytes } from './upload.ts'
import type { ObraClient } from '../types.ts'
import type { FileEntry, KnownFile } from './attachment-entries.ts'
import type { Edit, Result, Values } from './edit.ts'
import type { Edits } from './edits.ts'
import type { DeviceFile, Id, Storage, StoreOptions } from './types.ts'
import type { Scope } from './scope.ts'
import type { Selection } from './selection.ts'
import type { StoreParts } from './parts.ts'

type FileSummary = { shown: DeviceFile[], isSendable: boolean }

/** Maximum bytes of a file, the server's limit. */
const maxFileBytes = 25 * 2 ** 20

export const noFiles: FileSummary = { shown: [], isSendable: false }

/** Files of attachments: kept on this device until the server has them. */
export class Files {
  #store
  #client
  #storage
  #selection
  #sha256
  #summary = noFiles
  #listeners = new Set<(files: DeviceFile[]) => void>()
  /** Id of the file that is being sent. */
  #sendingId: string | undefined
  #pace = { bytes: requestBytes.first }

  /** @param sha256 default: the engine's own */
  constructor (store: StoreParts, client: ObraClient, storage: Storage, selection: Selection, sha256?: StoreOptions['sha256']) {
    this.#store = store
    this.#client = client
    this.#storage = storage
    this.#selection = selection
    this.#sha256 = sha256 ?? sha256Of
  }

  get progress () { return this.#summary.shown }
  /** Whether a file can be sent now. */
  get isSendable () { return this.#summary.isSendable }

  onProgress (callback: (files: DeviceFile[]) => void) {
    this.#listeners.add(callback)
    return () => { this.#listeners.delete(callback) }
  }

  async add (file: Blob | Uint8Array, fields: Values) {
    if (!this.#selection.resources.includes(attachments)) {
      throw new TypeError(`files.add: this store has no ${attachments}. Name them in the option \`resources\` of openStore.`)
    }
    const isBytes = ArrayBuffer.isView(file)
    if (!isBytes && !(file instanceof Blob)) {
      throw new TypeError('files.add needs a Blob, such as a File, or a Uint8Array, and then the fields of its attachment.')
    }
    const described = { ...'name' in file && { nombre: file.name }, ...fields }
    if (!('nombre' in described)) throw new TypeError('files.add needs `nombre`: the file has none itself.')
    if (!isBytes && typeof file.arrayBuffer !== 'function') {
      throw new TypeError('files.add cannot read a Blob in this engine. Pass the bytes of the file as a Uint8Array.')
    }
    if (this.#sha256 === sha256Of && globalThis.crypto?.subtle === undefined) {
      const advice = 'Pass the option `sha256` to openStore, or open the page with HTTPS.'
      throw new TypeError(`files.add needs crypto.subtle, which is missing here. ${advice}`)
    }
    const size = isBytes ? file.byteLength : file.size
    if (size > maxFileBytes) throw clientError(413, 'too_large', `A file has at most ${maxFileBytes / 2 ** 20} MiB.`)
    // A copy, because the app can use its memory again. `slice` of a `Buffer` is no copy.
    const copy = isBytes ? new Uint8Array(new Uint8Array(file.buffer, file.byteOffset, file.byteLength)) : undefined
    const prefix = await this.#store.transaction('read', async scope => scope?.prefix)
    // Another user can log in while the file is read.
    if (prefix === undefined) throw withoutScope()
    const content = copy ?? new Uint8Array(await (file as Blob).arrayBuffer()) // bytes have a copy
    // Before the hash, which takes longer. The service would refuse another type, and the photo would be gone by then.
    const type = checkedType(fields['tipo'] ?? (isBytes ? '' : file.type), content)
    const sha256InHex = hexadecimal(await this.#sha256(content))
    const values = bodyIn(attachments, 'files.add', { ...described, tipo: type, bytes: content.length, sha256: sha256InHex })
    const { nombre, tipo, bytes, sha256 } = values
    return await this.#store.changeEdits(async (edits) => {
      const record = await createRecord(edits, attachments, values)
      const entry = { number: edits.state.last, id: String(record.id), nombre, tipo, bytes, sha256, sent: 0 }
      if (!await addFile(edits.scope, entry, content)) throw filesFull()
      return record
    }, prefix)
  }

  async list () {
    return await this.#store.transaction('read', async scope => scope === undefined ? [] : this.#shown(await readFiles(scope, this.#store)))
  }

  async get (id: Id) {
    const known = idIn('files.get', id)
    return await this.#store.transaction('read', async (scope) => {
      const file = scope && await findFile(scope, known)
      const bytes = file && await readFile(scope, file)
      return bytes && new Blob([bytes], { type: file.tipo })
    })
  }

  async retry (id: Id) {
    await this.#change('files.retry', id, async (edits, file) => {
      const { failure, blocked, ...left } = file
      await saveFile(edits.scope, left)
      const creation = openCreation(edits.of(attachments, file.id))
      if (creation !== undefined) unblock(edits, creation)
    })
  }

  async discard (id: Id) {
    await this.#change('files.discard', id, async (edits, file) => {
      const [known] = (await knownFiles(edits.scope, edits.all)).filter(({ file: { number } }) => number === file.number)
      if (known?.isDone === false) await removeRecord(edits, attachments, file.id)
      await dropFiles(edits.scope, [file])
    })
  }

  /** Sends the files that can be sent, unless another tab does. */
  async send (signal: AbortSignal) {
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

  /** Shows a summary, and calls back if it has changed. */
  show (summary: FileSummary) {
    const shown = this.#shown(summary)
    const isChanged = JSON.stringify(shown) !== JSON.stringify(this.#summary.shown) || summary.isSendable !== this.#summary.isSendable
    this.#summary = { ...summary, shown }
    if (isChanged) for (const listener of this.#listeners) this.#store.call(listener, shown)
  }

  close () {
    this.#listeners.clear()
  }

  #shown ({ shown }: FileSummary): DeviceFile[] {
    return shown.map(file => file.id === this.#sendingId && file.state === 'waiting' ? { ...file, state: 'sending' } : file)
  }

  async #change (method: string, id: Id, work: (edits: Edits, file: FileEntry) => Promise<void>) {
    const known = idIn(method, id)
    await this.#store.changeEdits(async (edits) => {
      const file = await findFile(edits.scope, known)
      if (file === undefined) throw clientError(404, 'not_found', 'Not found.')
      await work(edits, file)
    })
  }
}

/** The files as the app sees them. */
export async function readFiles (scope: Scope, { language }: Pick<StoreParts, 'language'>, edits?: Edit[]): Promise<FileSummary> {
  const known = await knownFiles(scope, edits ?? await scope.allEdits())
  return { shown: known.map(one => shownFile(one, language)), isSendable: known.some(isSendable) }
}

function shownFile (known: KnownFile, language?: 'en' | 'es'): DeviceFile {
  const { file: { id, nombre, tipo, bytes, sent }, isDone } = known
  const reason = isDone ? undefined : failureOf(known)
  const error = reason === undefined ? undefined : errorOf(withTexts(reason, language))
  const state = isDone ? 'done' : reason === undefined ? 'waiting' : reason.reason === 'proxy' ? 'blocked' : 'failed'
  return { id, nombre, tipo, bytes, sent: isDone ? bytes : sent, state, error }
}

/** The creation of an attachment that the server has refused, or did not get. */
function openCreation (edits: Edit[]) {
  return edits.find(({ op, status }) => op === 'create' && (status === 'refused' || status === 'blocked'))
}

/** Why the bytes, or their attachment, are refused or set apart. */
function failureOf ({ file, edits, serverId }: KnownFile): Edit['result'] {
  const creation = openCreation(edits)
  if (creation !== undefined) return creation.result
  // A restored server has lost the attachment.
  if (edits.length === 0 && serverId === undefined) return { id: file.number, status: 404, code: 'not_found', reason: 'lost' }
  return file.failure ?? file.blocked
}

function errorOf ({ status, code = 'invalid', detail = '', errors = {}, codes = {} }: Result): DeviceFile['error'] {
  return { status, code, detail, errors, codes }
}

/**
 * The media type of a file, as the service names it. The first bytes decide, because phones also name HEIC files JPEG.
 * @param type what the app or the file says; an empty text if they do not know
 * @throws {TypeError} if nothing shows it, or the service does not take it
 */
function checkedType (type: unknown, content: Uint8Array) {
  if (typeof type !== 'string') throw new TypeError('files.add: tipo needs to be a media type, such as image/jpeg.')
  const given = isUnknownType(type) ? undefined : type
  const known = given === undefined ? undefined : normalizedType(given)
  const found = given !== undefined && known === undefined ? undefined : typeOf(content) ?? known
  if (found !== undefined) return found
  const problem = given === undefined ? ' needs `tipo`: neither the file nor its first bytes show it' : `: tipo is ${given.slice(0, 100)}`
  throw new TypeError(`files.add${problem}. The service takes ${fileTypes.join(', ')}.`)
}

async function sha256Of (content: Uint8Array<ArrayBuffer>) {
  return await crypto.subtle.digest('SHA-256', content)
}

/** @throws {TypeError} if it is not the 32 bytes of a SHA-256 hash, but text for example */
function hexadecimal (hash: ArrayBuffer) {
  const bytes = new Uint8Array(hash)
  if (bytes.length !== 32) throw new TypeError('files.add needs an ArrayBuffer of 32 bytes from the option `sha256` of openStore.')
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

function filesFull () {
  const limit = `${maxTotalBytes / 2 ** 20} MiB`
  return clientError(409, 'files_full', `More than ${limit} of your files in this company would wait on this device. Synchronize first.`)
}
