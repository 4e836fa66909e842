import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { httpError, ValidationError } from '../../http/errors.ts'
import { discardBody } from '../../http/request-body.ts'
import { isComplete, type Destination } from './destination.ts'
import { bodyChunks, receive } from './receive.ts'
import { reserve, withdraw } from './reservation.ts'
import { differences, receiveFile, sizeProblem, storeFile, withoutTraces, type Outcome } from './store-file.ts'
import type { Attachment } from './types.ts'

/**
 * Stores the bytes of an attachment. No database connection is held while they arrive.
 * @param declared `Content-Length`, if present
 * @returns the record afterwards
 * @throws {ValidationError} for other bytes than the record says; {@link HttpError} 409 for other bytes than the stored ones, 413 beyond
 * the quota
 * @throws {StoreError}
 */
export async function upload (destination: Destination, payload: Readable, declared?: string): Promise<Attachment> {
  const { storage: { store }, attachment } = destination
  if (declared !== undefined && Number(declared) !== attachment.bytes) {
    await discardBody(payload, declared)
    throw new ValidationError([sizeProblem(Number(declared), attachment)])
  }
  if (await isComplete(store, attachment)) return await repeated(attachment, payload)
  const id = randomUUID()
  const outcome = await reserveAndStore(destination, id, bodyChunks(payload))
  if ('record' in outcome) return outcome.record
  if (!outcome.mayRemain) await withdraw(destination, id).catch(() => {})
  throw outcome.error
}

/** The answer to a body that the server has already. @throws {HttpError} 409 for another body */
async function repeated (attachment: Attachment, payload: Readable): Promise<Attachment> {
  const received = await receive(bodyChunks(payload), undefined, attachment.bytes)
  if (differences(received, attachment).length > 0) throw httpError(409, { key: 'fileComplete' })
  return attachment
}

async function reserveAndStore (destination: Destination, id: string, chunks: AsyncIterable<Buffer>): Promise<Outcome> {
  try {
    await destination.tenant.unit(async ({ run }) => await reserve(run, destination, id))
  } catch (error) {
    return withoutTraces(error)
  }
  return await storeFile(destination, id, receiveFile(destination, chunks))
}
