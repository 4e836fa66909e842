import { isOfProxy, ObraError } from '../errors.ts'
import { findFile, isBeingRemoved, knownFiles, readFile, saveFile, tidyFiles } from './attachment-entries.ts'
import { faultOf, isInPause } from './blocked.ts'
import { askForCompany } from './companies.ts'
import { CompanyChanged } from './pull.ts'
import { maxFailures, refusal } from './results.ts'
import { visibleGeneration } from './scope.ts'
import { isFault } from './send-mutations.ts'
import { upload } from './upload.ts'
import type { FileEntry, KnownFile } from './attachment-entries.ts'
import type { Exchange } from './exchange.ts'
import type { Scope } from './scope.ts'
import type { Pace } from './upload.ts'

type Sendable = { file: FileEntry, serverId: number }

/** Statuses of verdicts after which the same request can succeed. */
const temporary = [0, 401, 408, 409, 429]

/** Whether the server has the attachment of a file, and can take its bytes. */
export function isSendable (known: KnownFile): known is KnownFile & Sendable {
  const { file, serverId, isDone } = known
  const isApart = file.failure !== undefined || (file.blocked !== undefined && isInPause(file.blocked.at))
  return !isDone && serverId !== undefined && !isApart && !isBeingRemoved(known)
}

/**
 * Uploads the files whose attachments the server has, one after the other.
 * @param onFile gets the file that is being sent
 * @throws {ObraError | TypeError} the first failure after which a file is sent again. The other files are sent first, unless they would
 *   fail too.
 */
export async function sendAttachments (exchange: Exchange, pace: Pace, onFile: (file: FileEntry | undefined) => void) {
  /** Numbers of files. */
  const tried = new Set<number>()
  const failures: unknown[] = []
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

async function nextFile (scope: Scope, tried: Set<number>) {
  const known = await knownFiles(scope, await scope.allEdits())
  await tidyFiles(scope, known)
  return known.filter(isSendable).find(({ file }) => !tried.has(file.number))
}

/**
 * Uploads a file.
 * @returns the error after which the file is sent again, if the network lets other requests through
 * @throws {ObraError | TypeError} for an error that says nothing about the file
 */
async function sendFile (exchange: Exchange, { file, serverId }: Sendable, pace: Pace): Promise<unknown> {
  const { write } = exchange
  const read = async (start: number, end: number) => await write(async scope => await readFile(scope, file, start, end))
  const source = { id: serverId, bytes: file.bytes, sha256: file.sha256, read }
  let reached = file.sent
  const onSent = async (sent: number) => {
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

/** Whether the server does not take a file at all. */
function isLasting (error: unknown): error is ObraError {
  return error instanceof ObraError && !isOfProxy(error) && error.status < 500 && !temporary.includes(error.status)
}

/**
 * Counts that something between has not let a file through, unless the server has got more of it than before. After the last time, the file
 * is set apart.
 * @returns the error, if the file is sent again
 */
async function keepFault ({ write }: Exchange, file: FileEntry, error: unknown, hasAdvanced: boolean): Promise<unknown> {
  const faults = hasAdvanced ? 0 : (file.faults ?? 0) + 1
  const isOver = faults >= maxFailures
  const blocked = { ...faultOf(file, error), at: Date.now() }
  const values = isOver ? { faults: maxFailures - 1, blocked } : { faults, ...hasAdvanced && { blocked: undefined } }
  await write(async scope => await change(scope, file, values))
  return isOver ? undefined : error
}

/** Changes a file, unless it is no longer on the device. */
async function change (scope: Scope, { number, id }: FileEntry, values: Partial<FileEntry>) {
  const present = await findFile(scope, id)
  if (present?.number === number) await saveFile(scope, { ...present, ...values })
}
