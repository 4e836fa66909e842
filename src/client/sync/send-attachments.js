import { isOfProxy, ObraError } from '../errors.js'
import { findFile, isBeingRemoved, knownFiles, readFile, saveFile, tidyFiles } from './attachment-entries.js'
import { faultOf, isInPause } from './blocked.js'
import { askForCompany } from './companies.js'
import { CompanyChanged } from './pull.js'
import { maxFailures, refusal } from './results.js'
import { visibleGeneration } from './scope.js'
import { isFault } from './send-mutations.js'
import { upload } from './upload.js'

/** @import { FileEntry, KnownFile } from './attachment-entries.js' */
/** @import { Exchange } from './exchange.js' */
/** @import { Scope } from './scope.js' */
/** @import { Pace } from './upload.js' */
/** @typedef {{ file: FileEntry, serverId: number }} Sendable */

/** Statuses of verdicts after which the same request can succeed. */
const temporary = [0, 401, 408, 409, 429]

/**
 * Whether the server has the attachment of a file, and can take its bytes.
 * @param {KnownFile} known
 * @returns {known is KnownFile & Sendable}
 */
export function isSendable (known) {
  const { file, serverId, isDone } = known
  const isApart = file.failure !== undefined || (file.blocked !== undefined && isInPause(file.blocked.at))
  return !isDone && serverId !== undefined && !isApart && !isBeingRemoved(known)
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
      const failure = await sendFile(exchange, next, pace)
      if (failure !== undefined) failures.push(failure)
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

/**
 * Uploads a file.
 * @param {Exchange} exchange
 * @param {Sendable} sendable
 * @param {Pace} pace
 * @returns {Promise<unknown>} the error after which the file is sent again, if the network lets other requests through
 * @throws {ObraError | TypeError} for an error that says nothing about the file
 */
async function sendFile (exchange, { file, serverId }, pace) {
  const { write } = exchange
  /** @param {number} start @param {number} end */
  const read = async (start, end) => await write(async scope => await readFile(scope, file, start, end))
  const source = { id: serverId, bytes: file.bytes, sha256: file.sha256, read }
  let reached = file.sent
  const onSent = async (/** @type {number} */ sent) => {
    reached = Math.max(reached, sent)
    await write(async scope => await change(scope, file, { sent }))
  }
  try {
    if (!await upload(exchange, source, pace, onSent)) return undefined
    await write(async scope => await change(scope, file, {
      sent: file.bytes, done: visibleGeneration(await scope.state()), blocked: undefined, faults: undefined
    }))
  } catch (error) {
    if (!isFault(error) && !isLasting(error)) throw error
    // Another active company does not have the attachment. And a network that lets no request through says nothing about the file.
    const { company } = await askForCompany(exchange.client, exchange.request())
    if (company !== exchange.company) throw new CompanyChanged()
    if (!isLasting(error)) return await keepFault(exchange, file, error, reached > file.sent)
    await write(async scope => await change(scope, file, { sent: 0, failure: refusal(file, error), blocked: undefined }))
  }
  return undefined
}

/** Whether the server does not take a file at all. @param {unknown} error @returns {error is ObraError} */
function isLasting (error) {
  return error instanceof ObraError && !isOfProxy(error) && error.status < 500 && !temporary.includes(error.status)
}

/**
 * Counts that something between has not let a file through, unless the server has got more of it than before. After the last time, the file
 * is set apart.
 * @param {Exchange} exchange
 * @param {FileEntry} file
 * @param {unknown} error
 * @param {boolean} hasAdvanced
 * @returns {Promise<unknown>} the error, if the file is sent again
 */
async function keepFault ({ write }, file, error, hasAdvanced) {
  const faults = hasAdvanced ? 0 : (file.faults ?? 0) + 1
  const isOver = faults >= maxFailures
  const blocked = { ...faultOf(file, error), at: Date.now() }
  const values = isOver ? { faults: maxFailures - 1, blocked } : { faults, ...hasAdvanced && { blocked: undefined } }
  await write(async scope => await change(scope, file, values))
  return isOver ? undefined : error
}

/** Changes a file, unless it is no longer on the device. @param {Scope} scope @param {FileEntry} file @param {Partial<FileEntry>} values */
async function change (scope, { number, id }, values) {
  const present = await findFile(scope, id)
  if (present?.number === number) await saveFile(scope, { ...present, ...values })
}
