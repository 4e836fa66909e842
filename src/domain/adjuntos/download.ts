import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../config/limits.ts'
import { httpError } from '../../http/errors.ts'
import { namedTag } from '../../http/representation.ts'
import { contentDisposition } from './content-disposition.ts'
import type { FileStore } from './file-store.ts'
import { fileTypes, type Attachment } from './types.ts'

/** Longest time in ms in which a client reads a file. */
const maxSendMs = limits.files.sendMs

/**
 * Answers with the bytes of an attachment, or the part of them that `Range` names, or redirects to them.
 * @throws {HttpError} 409 without bytes, 416, 410 if the store has lost them, or some of them
 * @throws {StoreError}
 */
export async function download (
  store: FileStore, request: FastifyRequest, reply: FastifyReply, attachment: Attachment
): Promise<FastifyReply> {
  const { id, company, nombre, tipo, sha256, bytes, estado } = attachment
  if (estado !== 'listo') throw httpError(409, { key: 'filePending' })
  const { 'if-none-match': known, 'if-range': unchanged, range } = request.headers
  const tag = `"${sha256}"`
  if (namedTag(known, tag) !== undefined) return await reply.code(304).header('etag', tag).send()
  // RFC 9110, section 14.2: only GET has ranges.
  const part = request.method === 'GET' && (unchanged === undefined || unchanged === tag) ? satisfiable(range, bytes) : undefined
  const key = { company, sha256 }
  const file = { 'content-type': tipo, 'content-disposition': contentDisposition(nombre, fileTypes[tipo]) }
  const asked = { method: request.method, range: part, bytes, headers: file }
  const answer = await store.sizeOf(key) === bytes ? await store.answer(key, asked) : undefined
  if (answer === undefined) {
    request.log.error({ attachment: id, sha256 }, 'the bytes of an attachment are missing, or not all there: see `obra doctor`')
    throw httpError(410, { code: 'file_lost', key: 'fileLost' })
  }
  const { statusCode, headers, stream } = answer
  if (stream === undefined) return await reply.code(statusCode).headers(headers).send()
  if (statusCode === 416) {
    stream.destroy()
    throw httpError(416, { values: { bytes }, headers: { 'content-range': `bytes */${bytes}` } })
  }
  const { raw } = reply
  const timer = setTimeout(() => raw.destroy(), maxSendMs).unref()
  stream.once('close', () => clearTimeout(timer))
  if (raw.closed) stream.destroy()
  reply.code(statusCode).headers({ ...headers, ...file, etag: tag }).send(stream)
  // The limit of downloads counts the request until its client has the file.
  if (!raw.closed) await once(raw, 'close')
  return reply
}

/** A suffix that is longer than the file is the whole file (RFC 9110, section 14.1.2). `@fastify/send` would refuse it. */
function satisfiable (range: string | undefined, bytes: number): string | undefined {
  return range?.replace(
    /(^bytes=\s*|,\s*)-(\d+)(?=\s*(?:,|$))/g, (spec, before: string, suffix: string) => Number(suffix) > bytes ? `${before}0-` : spec
  )
}
