import { isSameRecord } from './order.ts'
import { padded, visibleGeneration } from './scope.ts'
import type { Edit, Reason, Result, Values } from './edit.ts'
import type { Edits } from './edits.ts'
import type { Id } from './types.ts'
import type { Scope } from './scope.ts'

/** A file that was added on this device. */
export interface FileEntry {
  /** Number of the edit that created its attachment. */
  number: number
  /** Id of its attachment. */
  id: string
  nombre: string
  /** Media type. */
  tipo: string
  bytes: number
  sha256: string
  /** Bytes that the server is known to have. */
  sent: number
  /** Generation of the copy when the server had all bytes. */
  done?: number
  /** Why the server does not take the bytes. */
  failure?: Result
  /** Times in a row that a proxy or connection has let other requests through, and no further bytes. */
  faults?: number
  /** Set apart since `at`, in ms since 1970: a proxy or connection does not let it through. */
  blocked?: Result & { reason: Reason, at: number }
  /** The attachment was removed on this device. */
  isRemoved?: true
}

/** A file with what the records and edits say about it. */
export interface KnownFile {
  file: FileEntry
  /** The server's id of its attachment. */
  serverId?: number
  /** The server's attachment, if the copy has it. */
  record?: Values
  /** Edits of its attachment. */
  edits: Edit[]
  /** Whether the server has the bytes. */
  isDone: boolean
}

export const attachments = 'adjuntos'

/** Bytes of an entry of the storage. Only the entries that a request needs are read. */
const partBytes = 128 * 1024
/** Bytes that all files of a user in a company have together. */
export const maxTotalBytes = 128 * 2 ** 20
/** Bytes of files that stay on this device after the server has them. */
const maxKeptBytes = 16 * 2 ** 20

/**
 * Key of a part of a file. `clear` reads all entries below the user's prefix, so the parts are elsewhere.
 * @param key of the file
 */
const partKey = (key: string, index: number) => `bytes/${key}/${padded(index)}`

/** Key of a file. */
const keyOf = (scope: Scope, { number }: FileEntry) => `${scope.files}${padded(number)}`

/** The keys of a file and of its bytes. @param key of the file */
export function keysOf (key: string, { bytes }: FileEntry) {
  return [key, ...Array.from({ length: Math.ceil(bytes / partBytes) }, (_, index) => partKey(key, index))]
}

/** The files, the earliest first. */
async function filesIn (scope: Scope) {
  return (await scope.list<FileEntry>(scope.files)).map(([, file]) => file)
}

/**
 * Keeps a file. If there is no room, files that the server has are dropped.
 * @returns whether there is room
 */
export async function addFile (scope: Scope, file: FileEntry, content: Uint8Array): Promise<boolean> {
  const kept = await knownFiles(scope, await scope.allEdits())
  const all = kept.reduce((sum, { file }) => sum + file.bytes, file.bytes)
  const done = kept.filter(({ isDone }) => isDone)
  if (all > maxTotalBytes) await dropFiles(scope, done.map(({ file }) => file))
  if (all - done.reduce((sum, { file }) => sum + file.bytes, 0) > maxTotalBytes) return false
  const key = keyOf(scope, file)
  await saveFile(scope, file)
  // Copies: a view would be stored with all bytes that it is a view of.
  const parts = keysOf(key, file).slice(1).map((part, index): [string, Uint8Array] => (
    [part, content.slice(index * partBytes, (index + 1) * partBytes)]))
  await scope.transaction.write(parts)
  return true
}

export async function saveFile (scope: Scope, file: FileEntry) {
  await scope.transaction.write([[keyOf(scope, file), file]])
}

export async function dropFiles (scope: Scope, files: FileEntry[]) {
  await scope.transaction.write(files.flatMap(file => keysOf(keyOf(scope, file), file)).map(key => [key, undefined]))
}

/** Finds a file by the id of its attachment. */
export async function findFile (scope: Scope, id: Id): Promise<FileEntry | undefined> {
  const files = await filesIn(scope)
  const serverIds = await scope.serverIdsOf(files.map(file => file.id))
  return files.find(file => file.id === id || serverIds.get(file.id)?.id === id)
}

/**
 * Reads a part of a file.
 * @returns undefined if the device no longer has it
 */
export async function readFile (scope: Scope, file: FileEntry, start = 0, end = file.bytes): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const first = Math.floor(start / partBytes)
  const keys = keysOf(keyOf(scope, file), file).slice(1 + first, 1 + Math.ceil(end / partBytes))
  const parts = await scope.read<Uint8Array<ArrayBuffer>>(keys)
  const found = parts.filter(part => part !== undefined)
  if (found.length < parts.length) return undefined
  const bytes = new Uint8Array(found.reduce((sum, { length }) => sum + length, 0))
  found.forEach((part, index) => bytes.set(part, index * partBytes))
  return bytes.subarray(start - first * partBytes, end - first * partBytes)
}

/** The files, with what the records and edits say about them. */
export async function knownFiles (scope: Scope, edits: Edit[]): Promise<KnownFile[]> {
  const files = await filesIn(scope)
  if (files.length === 0) return []
  const generation = visibleGeneration(await scope.state())
  const serverIds = await scope.serverIdsOf(files.map(({ id }) => id))
  const keys = files.map(({ id }) => scope.recordKey(generation, attachments, serverIds.get(id)?.id ?? 0))
  const records = await scope.read<Values>(keys)
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

/** Whether the attachment of a file was removed on this device. */
export function isBeingRemoved ({ edits }: KnownFile) {
  return edits.some(({ op, status }) => op === 'delete' && status !== 'refused')
}

/** Drops the files whose attachments no longer exist, and the earliest ones that the server has. */
export async function tidyFiles (scope: Scope, known: KnownFile[]) {
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
 */
export async function followRemovals ({ scope, all }: Edits, before: Edit[]) {
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
