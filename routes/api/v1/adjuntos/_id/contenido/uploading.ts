import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Destination } from '../../../../../../src/domain/adjuntos/destination.ts'
import { adjuntos } from '../../../../../../src/domain/adjuntos/resource.ts'
import { httpError } from '../../../../../../src/http/errors.ts'
import { versionPrecondition } from '../../../../../../src/http/representation.ts'
import { requireUncompressed } from '../../../../../../src/http/request-body.ts'
import type { ById } from '../../../../../../src/resources/declaration/route-options.ts'

/** A request whose body is a file or a part of it. */
export type UploadById = ById & { Body: Readable | undefined }

/**
 * Passes the body of a request to `work`, within the limits of uploads.
 * @throws {HttpError} 404, 412, 415, 503; errors of `work`
 */
export async function uploading<Result> (
  request: FastifyRequest<UploadById>, work: (destination: Destination, body: Readable) => Promise<Result>
): Promise<Result> {
  const { headers, server: { files }, tenant } = request
  requireUncompressed(headers['content-encoding'])
  const attachment = await tenant.record(adjuntos, request.params.id)
  if (!versionPrecondition(headers['if-match'])(attachment)) throw httpError(412)
  return await files.uploads.run(request, async () => await work({ storage: files, tenant, attachment }, request.body ?? request.raw))
}
