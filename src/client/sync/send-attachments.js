import { ObraError } from '../errors.js'
import { findFile, isBeingRemoved, knownFiles, readFile, saveFile, tidyFiles } from './attachment-entries.js'
import { askForCompany } from './companies.js'
import { CompanyChanged } from './pull.js'
import { refusal } from './results.js'
import { visibleGeneration } from './scope.js'
import { upload } from './upload.js'

/** @import { FileEntry, KnownFile } from './attachment-entries.js' */
/** @import { Exchange } from './exchange.js' */
/** @import { Scope } from './scope.js' */
/** @import { Pace } from './upload.js' */
/** @typedef {{ file: FileEntry, serverId: number }} Sendable */

/** Statuses of answers after which the same request can succeed. */
const temporary = [0, 401, 408, 409, 429]

/**
 * Whether the server has the attachment of a file, and can take its bytes.
 * @param {KnownFile} known
 * @returns {known is KnownFile & Sendable}
 */
export function isSendable (known) {
  return !known.isDone && known.serverId !== undefined && known.file.failure === undefined && !isBeingRemoved(known)
}

/**
 * Uploads the files whose attachments the server has, one after the other.
 * @param {Exchange} exchange
 * @param {Pace} pace
 * @param {(file: FileEntry | undefined) => void} onFile gets the file that is being sent
 * @throws {ObraError | TypeError} the first failure after which a file is sent again. The other files are sent first, unless they would
 *   fail too.
 */
export async function sendAttachments (exchange, pace, onFile) {
  /** Numbers of files. @type {Set<number>} */
  const tried = new Set()
  /** @type {unknown[]} */
  const failures = []
  for (;;) {
    const next = await exchange.write(async scope => await nextFile(scope, tried))
    if (next === undefined) break
    tried.add(next.file.number)
    onFile(next.file)
    try {
      await sendFile(exchange, next, pace)
    } catch (error) {
      if (error instanceof CompanyChanged) break
      if (!(error instanceof ObraError) || error.status === 401 || error.status === 429) throw error
      failures.push(error)
    } finally {
      onFile(undefined)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** @param {Scope} scope @param {Set<number>} tried */
async function nextFile (scope, tried) {
  const known = await knownFiles(scope, await scope.allEdits())
  await tidyFiles(scope, known)
  return known.filter(isSendable).find(({ file }) => !tried.has(file.number))
}

/** @param {Exchange} exchange @param {Sendable} sendable @param {Pace} pace */
async function sendFile (exchange, { file, serverId }, pace) {
  const { write } = exchange
  /** @param {number} start @param {number} end */
  const read = async (start, end) => await write(async scope => await readFile(scope, file, start, end))
  const source = { id: serverId, bytes: file.bytes, sha256: file.sha256, read }
  const onSent = async (/** @type {number} */ sent) => await write(async scope => await change(scope, file, { sent }))
  try {
    if (!await upload(exchange, source, pace, onSent)) return
    await write(async scope => await change(scope, file, { sent: file.bytes, done: visibleGeneration(await scope.state()) }))
  } catch (error) {
    if (!(error instanceof ObraError) || error.status >= 500 || temporary.includes(error.status)) throw error
    // Another active company does not have the attachment.
    const { company } = await askForCompany(exchange.client, exchange.request())
    if (company !== exchange.company) throw new CompanyChanged()
    await write(async scope => await change(scope, file, { sent: 0, failure: refusal(file, error) }))
  }
}

/** Changes a file, unless it is no longer on the device. @param {Scope} scope @param {FileEntry} file @param {Partial<FileEntry>} values */
async function change (scope, { number, id }, values) {
  const present = await findFile(scope, id)
  if (present?.number === number) await saveFile(scope, { ...present, ...values })
}
