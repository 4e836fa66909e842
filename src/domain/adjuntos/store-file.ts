import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Crowded } from '../../database/turns/crowded.ts'
import type { Run } from '../../database/turns/unit-of-work.ts'
import { httpError, refuse, ValidationError, type Problem } from '../../http/errors.ts'
import { readCfdi, type Cfdi } from './cfdi.ts'
import { typeOf } from './content-type.ts'
import { isComplete, readAttachment, type Destination } from './destination.ts'
import { StoreError } from './file-store.ts'
import { receive, type Received } from './receive.ts'
import { keepRow, withdrawal } from './reservation.ts'
import { mimeTypes, type Attachment, type FileType } from './types.ts'

/** A temporary file with the bytes that its attachment describes. */
interface CheckedFile {
  path: string
  /** What the bytes show. */
  tipo: FileType
  /** What was read of an invoice. */
  cfdi: Cfdi | undefined
}

/** What became of a file: the record afterwards, or a failure. */
export type Outcome = { record: Attachment } | Failure

interface Failure {
  error: unknown
  /** Whether bytes may be stored without a commit. Then the row of `uploads` must stay, because it names them. */
  mayRemain: boolean
}

/** A failure that has stored no bytes. */
export function withoutTraces (error: unknown): Failure {
  return { error, mayRemain: false }
}

/**
 * Stores the bytes of an attachment, which is then `listo`.
 * @param id of the row of `uploads` that reserves the bytes. The commit deletes it.
 * @param receiving the file of {@link receiveFile}
 * @returns also failures. The error is a {@link ValidationError} for other bytes than the record says.
 * @throws an error only if the temporary file cannot be removed
 */
export async function storeFile (destination: Destination, id: string, receiving: Promise<CheckedFile>): Promise<Outcome> {
  const file = await receiving.catch(withoutTraces)
  if ('error' in file) return file
  const outcome = await storeChecked(destination, id, file)
  await rm(file.path, { force: true })
  return outcome
}

/**
 * Receives a file and checks it.
 * @throws {ValidationError} for other bytes than the record says, or no known type, without a temporary file
 */
export async function receiveFile ({ storage: { store }, attachment }: Destination, chunks: AsyncIterable<Buffer>): Promise<CheckedFile> {
  const path = await store.temporary()
  try {
    const received = await receive(chunks, path, attachment.bytes)
    refuse(differences(received, attachment))
    const tipo = await typeOf(path)
    if (tipo === undefined) throw new ValidationError([{ field: 'tipo', key: 'fileTypeUnknown', values: { types: mimeTypes.join(', ') } }])
    return { path, tipo, cfdi: tipo === 'application/xml' ? await readCfdi(path) : undefined }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** Sends a checked file, if its store is a service, and commits it. */
async function storeChecked (destination: Destination, id: string, file: CheckedFile): Promise<Outcome> {
  const { storage: { store }, tenant: { company }, attachment: { sha256 } } = destination
  try {
    const isSent = await store.send(file.path, { company, sha256 })
    const outcome = await commit(destination, id, file)
    return isSent && 'error' in outcome ? await sentWithoutCommit(destination, id, outcome.error) : outcome
  } catch (error) {
    return error instanceof StoreError && error.canBeDone ? await sentWithoutCommit(destination, id, error) : withoutTraces(error)
  }
}

/** The row is what leads to the bytes. */
async function sentWithoutCommit (destination: Destination, id: string, error: unknown): Promise<Failure> {
  await keepRow(destination, id).catch(() => {})
  return { error, mayRemain: true }
}

/** Adds a file that is sent to the store, and makes its attachments `listo`. */
async function commit (destination: Destination, id: string, { path, ...content }: CheckedFile): Promise<Outcome> {
  const { storage: { store }, tenant, attachment } = destination
  const { company } = tenant
  const key = { company, sha256: attachment.sha256 }
  let isAdded = false
  try {
    const record = await tenant.unit(async (unit) => {
      const [reserved] = await unit.run(withdrawal(company, id))
      const record = await readAttachment(unit, attachment)
      if (record === undefined) throw httpError(404)
      // Another request can have completed the same resumable upload.
      if (reserved === undefined && await isComplete(store, record)) return record
      if (reserved === undefined) throw new Crowded('an upload has lost its reservation')
      // The lock of the company keeps removals of the same bytes away until the commit, but not between a unit and its repetition.
      if (!isAdded) {
        isAdded = true
        await store.add(path, key)
      } else if (await store.sizeOf(key) !== attachment.bytes) {
        throw new Crowded('the bytes of an upload were removed before its repetition')
      }
      await complete(unit.run, company, { ...attachment, ...content })
      const completed = await readAttachment(unit, attachment)
      if (completed === undefined) throw httpError(404)
      return completed
    })
    return { record }
  } catch (error) {
    // A temporary file that is still there is not renamed.
    return { error, mayRemain: isAdded && !existsSync(path) }
  }
}

/** Makes all attachments with these bytes `listo`. A trigger gives them the media type of the bytes. */
async function complete (
  run: Run, company: number, { sha256, bytes, tipo, cfdi }: Pick<Attachment, 'sha256' | 'bytes'> & Omit<CheckedFile, 'path'>
): Promise<void> {
  await run({
    text: `
      insert into stored_files (company_id, sha256, bytes, tipo, cfdi) values ($1, $2, $3, $4, $5::jsonb)
      on conflict (company_id, sha256) do update
      set bytes = excluded.bytes, tipo = excluded.tipo, cfdi = excluded.cfdi, unused_since = null, removing = false`,
    values: [company, sha256, bytes, tipo, cfdi === undefined ? null : JSON.stringify(cfdi)]
  })
  await run({
    text: `
      update adjuntos set estado = 'listo'
      where company_id = $1 and sha256 = $2 and bytes = $3 and estado = 'pendiente'`,
    values: [company, sha256, bytes]
  })
}

/** How a received file differs from its attachment. */
export function differences (received: Received, attachment: Attachment): Problem[] {
  if (received.bytes !== attachment.bytes) return [sizeProblem(received.bytes, attachment)]
  return received.sha256 === attachment.sha256 ? [] : [{ field: 'sha256', key: 'fileHashDiffers', values: { sha256: received.sha256 } }]
}

export function sizeProblem (bytes: number, { bytes: expected }: Attachment): Problem {
  return { field: 'bytes', key: 'fileSizeDiffers', values: { bytes, expected } }
}
