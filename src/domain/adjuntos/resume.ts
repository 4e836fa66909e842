import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { day } from '../../config/limit.ts'
import { limits } from '../../config/limits.ts'
import type { Row } from '../../database/connection/sql.ts'
import { maxWaitMs } from '../../database/turns/crowded.ts'
import { idType, requestRows, type BatchQuery } from '../../database/turns/batch-requests.ts'
import { Semaphore } from '../../database/turns/semaphore.ts'
import { httpError, isHttpError, refuse, ValidationError } from '../../http/errors.ts'
import { discardBody } from '../../http/request-body.ts'
import type { Tenant } from '../../resources/tenant.ts'
import { isComplete, readAttachment, type Destination } from './destination.ts'
import { bodyChunks, receive } from './receive.ts'
import { reserve, withdraw } from './reservation.ts'
import { differences, receiveFile, sizeProblem, storeFile } from './store-file.ts'
import type { Attachment } from './types.ts'
import { codeOf } from '../../files/errors.ts'

/** Days after its last request for which the bytes of an incomplete upload are kept. */
export const partialDays = limits.files.partialMs / day

/** How far a resumable upload is. */
export interface Progress {
  /** The next byte that the server needs. Of a complete file, its size. */
  offset: number
  /** When the bytes are removed, unless there is another request before. */
  expires?: Date
}

const columns = [['attachment', idType]] as const
const openUpload: BatchQuery = {
  name: 'open upload',
  columns,
  text: `
    select q.i, u.id, coalesce(u.active_at, u.begun_at) as active_at from ${requestRows(columns)}
    cross join lateral (select u.* from uploads u where u.company_id = q.company and u.adjunto_id = q.attachment offset 0) u`
}

/** Reads how far the resumable upload of an attachment is. */
export async function progressOf ({ storage, tenant, attachment }: Destination): Promise<Progress> {
  if (await isComplete(storage.store, attachment)) return { offset: attachment.bytes }
  const upload = await findUpload(tenant, attachment)
  if (upload === undefined) return { offset: 0 }
  return { offset: nextOf(await storage.partials.sizeOf(upload['id']), attachment), expires: expiryOf(upload) }
}

/**
 * Appends bytes to the resumable upload of an attachment. At the last byte, the file is checked and stored. No database connection is held
 * while the bytes arrive.
 * @param offset of the first byte of `payload`
 * @param declared `Content-Length`, if present
 * @throws {ValidationError} for other bytes than the record says, which are removed; {@link HttpError} 409 at another offset than that of
 *   {@link progressOf}, 413 beyond the quota
 */
export async function resume (destination: Destination, offset: number, payload: Readable, declared?: string): Promise<Progress> {
  const { storage: { partials }, attachment } = destination
  const { bytes } = attachment
  const id = await admitted(destination, offset, offset + Number(declared ?? 0)).catch(async (error) => {
    await discardBody(payload, declared)
    throw error
  })
  if (id === undefined) return await repeated(destination, payload, offset)
  let received = 0
  let renewed: Row | undefined
  try {
    received = await partials.append(id, bodyChunks(payload), offset, bytes).catch(lostAsConflict)
  } finally {
    // Even if the client has disconnected: the bytes are kept from now on.
    renewed = await renew(destination, id)
  }
  if (renewed === undefined) {
    await partials.remove(id)
    throw wrongOffset(0)
  }
  if (received > bytes) refuse([sizeProblem(received, attachment)])
  if (received < bytes) return { offset: received, expires: expiryOf(renewed) }
  await finish(destination, id)
  return { offset: bytes }
}

/** The answer to bytes of a complete file. @throws {HttpError} 409 for another file */
async function repeated ({ attachment }: Destination, payload: Readable, offset: number): Promise<Progress> {
  const { bytes } = attachment
  if (offset < bytes && differences(await receive(bodyChunks(payload), undefined, bytes), attachment).length > 0) throw wrongOffset(bytes)
  return { offset: bytes }
}

/**
 * The id of the upload whose next bytes begin at `offset`. The first request creates it.
 * @param end offset after the last byte, as declared
 * @returns undefined if the file is complete, and the bytes are none or all
 */
async function admitted (destination: Destination, offset: number, end: number): Promise<string | undefined> {
  const { storage, tenant, attachment } = destination
  const { bytes } = attachment
  const isDone = await isComplete(storage.store, attachment)
  const upload = isDone ? undefined : await findUpload(tenant, attachment)
  const size = upload === undefined ? 0 : await storage.partials.sizeOf(upload['id'])
  const next = isDone ? bytes : nextOf(size, attachment)
  if (offset !== next && !(offset === size && end === bytes)) throw wrongOffset(next)
  if (end > bytes) throw new ValidationError([sizeProblem(end, attachment)])
  if (isDone) return undefined
  return upload?.['id'] ?? await begin(destination)
}

/**
 * The offset of the next byte. If all bytes have arrived, but the attachment is not `listo`, the process was killed in between: the client
 * sends the last byte again, so that the file is checked again.
 */
function nextOf (size: number, { bytes }: Attachment): number {
  return Math.min(size, bytes - 1)
}

async function findUpload (tenant: Tenant, { id }: Attachment): Promise<Row | undefined> {
  return (await tenant.read(openUpload, [id], null))[0]
}

/** Creates the upload, and reserves its bytes. @returns the id of it, or of one that a concurrent request has created */
async function begin (destination: Destination): Promise<string> {
  const { tenant, attachment } = destination
  const { company } = tenant
  return await tenant.unit(async (unit) => {
    const [upload] = await unit.read({ query: openUpload, company, values: [attachment.id] })
    if (upload !== undefined) return upload['id']
    if (await readAttachment(unit, attachment) === undefined) throw httpError(404)
    const id = randomUUID()
    await reserve(unit.run, destination, id, true)
    return id
  })
}

/** Keeps an upload for {@link partialDays} from now. @returns its row; undefined if it was removed or completed meanwhile */
async function renew ({ storage: { sql }, tenant: { company } }: Destination, id: string): Promise<Row | undefined> {
  const [rows] = await sql.within([company], 'read write', [{
    text: 'update uploads set active_at = clock_timestamp() where company_id = $1 and id = $2 returning active_at', values: [company, id]
  }])
  return rows?.[0]
}

function expiryOf ({ active_at: active }: Row): Date {
  return new Date(Date.parse(active) + partialDays * 24 * 60 * 60_000)
}

/** The files of several uploads are read again in turns, so that other requests need not wait for them. */
const reading = new Semaphore<number>({ name: 'complete uploads', size: 2, perKey: 1 })

/** Stores the file. If it is another one than the record says, or the record is gone, its bytes are removed. */
async function finish (destination: Destination, id: string): Promise<void> {
  const { storage: { partials }, tenant: { company } } = destination
  const receiving = reading.run(company, performance.now() + maxWaitMs, async () => await receiveFile(destination, partials.read(id)))
  const outcome = await storeFile(destination, id, receiving)
  if ('error' in outcome) {
    const { error, mayRemain } = outcome
    if (!isFinal(error)) return lostAsConflict(error)
    if (!mayRemain) await withdraw(destination, id)
    await partials.remove(id)
    throw error
  }
  await partials.remove(id)
}

/** Whether no repetition can complete an upload after this error. */
function isFinal (error: unknown): boolean {
  return error instanceof ValidationError || (isHttpError(error) && error.statusCode === 404)
}

/** Another request has removed the bytes, because it has completed or refused the file. The client asks for the offset again. */
function lostAsConflict (error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? wrongOffset(0) : error
}

function wrongOffset (offset: number): Error {
  return httpError(409, { key: 'wrongOffset', values: { offset } })
}
