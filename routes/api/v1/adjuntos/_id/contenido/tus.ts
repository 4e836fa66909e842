import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adjuntos } from '../../../../../../src/domain/adjuntos/resource.ts'
import { progressOf, resume, type Progress } from '../../../../../../src/domain/adjuntos/resume.ts'
import { sizeProblem } from '../../../../../../src/domain/adjuntos/store-file.ts'
import { maxFileBytes } from '../../../../../../src/domain/adjuntos/types.ts'
import { httpError, ValidationError } from '../../../../../../src/http/errors.ts'
import { refuseBody } from '../../../../../../src/http/request-body.ts'
import type { ById } from '../../../../../../src/resources/declaration/route-options.ts'
import { beginKind, partKind, partType } from './kinds.ts'
import { uploading, type UploadById } from './uploading.ts'

const version = '1.0.0'

/**
 * Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload). The record has created the upload already. Clients that always
 * begin with a creation, such as TUSKit, get the same address by POST.
 */
export async function tusRoutes (app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(partType, (_request, payload: IncomingMessage, done) => done(null, payload))
  app.addContentTypeParser('*', refuseBody)

  app.options('/', {
    // Clients ask before they have a token, and browsers never send one.
    config: { access: 'public', cors: { preflightContinue: true } },
    schema: { hide: true }
  }, async (_request, reply) => await reply.code(204).headers({
    allow: 'GET, HEAD, OPTIONS, PATCH, POST, PUT',
    'tus-resumable': version,
    'tus-version': version,
    'tus-extension': 'creation,expiration',
    'tus-max-size': String(maxFileBytes)
  }).send())

  app.post<ById>('/', {
    config: { access: adjuntos.access.write, kind: beginKind },
    schema: {
      tags: ['adjuntos'],
      operationId: 'beginContenido',
      summary: 'Begin the upload of the file of an attachment in parts',
      description: 'For clients of [tus 1.0](https://tus.io/protocols/resumable-upload) that cannot begin without it. ' +
        '`Location` is the same address.',
      response: { 201: Type.Null() }
    }
  }, async (request, reply) => {
    requireTus(request)
    const attachment = await request.tenant.record(adjuntos, request.params.id)
    const length = bytesOf(request, 'Upload-Length')
    if (length !== attachment.bytes) throw new ValidationError([sizeProblem(length, attachment)])
    return await reply.code(201).header('location', `${request.origin()}/api/v1/adjuntos/${attachment.id}/contenido/`).send()
  })

  app.patch<UploadById>('/', {
    config: { access: adjuntos.access.write, kind: partKind, isStreamed: true },
    schema: {
      tags: ['adjuntos'],
      operationId: 'resumeContenido',
      summary: 'Upload the file of an attachment in parts',
      description: 'Resumable upload by [tus 1.0](https://tus.io/protocols/resumable-upload): the body is appended at `Upload-Offset`. ' +
        '`HEAD` with `Tus-Resumable` answers the offset and the size, and `OPTIONS` the version, the extensions and the maximum size. ' +
        'With the last byte, size and hash are compared with the attachment, which is then `listo`. If they differ, the ' +
        'answer is 400, and the offset is 0 again. After a lost connection, the bytes that arrived are kept until `Upload-Expires`.'
    }
  }, async (request, reply) => {
    requireTus(request)
    const offset = bytesOf(request, 'Upload-Offset')
    const declared = request.headers['content-length']
    const progress = await uploading(request, async (destination, body) => await resume(destination, offset, body, declared))
    return await sendProgress(reply.code(204), progress)
  })
}

/** Whether a request for the bytes asks how far a resumable upload is. */
export function asksProgress ({ method, headers }: FastifyRequest): boolean {
  return method === 'HEAD' && headers['tus-resumable'] !== undefined
}

/** Answers HEAD of tus. */
export async function answerProgress (request: FastifyRequest<ById>, reply: FastifyReply): Promise<FastifyReply> {
  requireTus(request)
  const { server: { files }, tenant } = request
  const attachment = await tenant.record(adjuntos, request.params.id)
  const progress = await progressOf({ storage: files, tenant, attachment })
  return await sendProgress(reply.headers({ 'upload-length': String(attachment.bytes), etag: `"${attachment.sha256}"` }), progress)
}

async function sendProgress (reply: FastifyReply, { offset, expires }: Progress): Promise<FastifyReply> {
  if (expires !== undefined) reply.header('upload-expires', expires.toUTCString())
  return await reply.header('upload-offset', String(offset)).header('cache-control', 'no-store').send()
}

/** Names the version in every answer to a request of tus, even if it is refused before its handler. */
export async function nameVersion (request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { kind } = request.routeOptions.config
  if (kind?.takes?.includes('TusResumable') === true || asksProgress(request)) reply.header('tus-resumable', version)
}

/** @throws {HttpError} 412 for a request in another version, or in none */
function requireTus ({ headers }: FastifyRequest): void {
  if (headers['tus-resumable'] === version) return
  throw httpError(412, { key: 'tusVersion', values: { version }, headers: { 'tus-version': version } })
}

/** The value of a header of tus. @throws {ValidationError} for anything else than a number of bytes */
function bytesOf ({ headers }: FastifyRequest, name: 'Upload-Length' | 'Upload-Offset'): number {
  const value = headers[name.toLowerCase()]
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  throw new ValidationError([{ field: name, key: value === undefined ? 'required' : 'notInteger' }])
}
