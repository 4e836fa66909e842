import type { IncomingMessage } from 'node:http'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { download } from '../../../../../../src/domain/adjuntos/download.ts'
import { adjuntos } from '../../../../../../src/domain/adjuntos/resource.ts'
import { upload } from '../../../../../../src/domain/adjuntos/upload.ts'
import { refuseBody } from '../../../../../../src/http/request-body.ts'
import type { ById } from '../../../../../../src/resources/declaration/route-options.ts'
import { sendWritten } from '../../../../../../src/resources/writing/handlers.ts'
import { downloadKind, uploadKind, uploadTypes } from './kinds.ts'
import { answerProgress, asksProgress, nameVersion, tusRoutes } from './tus.ts'
import { uploading, type UploadById } from './uploading.ts'

export default async function contentRoutes (app: FastifyInstance) {
  const { files } = app

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(uploadTypes, (_request, payload: IncomingMessage, done) => done(null, payload))
  app.addContentTypeParser('*', refuseBody)

  app.addHook('onSend', nameVersion)
  await app.register(tusRoutes)

  app.get<ById>('/', {
    config: { access: adjuntos.access.read, kind: downloadKind, notJson: true },
    schema: {
      tags: ['adjuntos'],
      operationId: 'retrieveContenido',
      summary: 'Download the file of an attachment',
      description: 'A `pendiente` attachment is 409. 410 with the code `file_lost` means that the server has lost the bytes: an upload ' +
        'of the same file brings them back. `Range` asks for a part, `If-Range` only if the file is the same.',
      response: { 200: Type.Any(), 206: Type.Any(), 302: Type.Any() }
    }
  }, async (request, reply) => {
    if (asksProgress(request)) return await answerProgress(request, reply)
    const attachment = await request.tenant.record(adjuntos, request.params.id)
    return await files.downloads.run(request, async () => await download(files.store, request, reply, attachment))
  })

  app.put<UploadById>('/', {
    config: { access: adjuntos.access.write, kind: uploadKind, isStreamed: true },
    schema: {
      tags: ['adjuntos'],
      operationId: 'uploadContenido',
      summary: 'Upload the file of an attachment',
      description: 'The body is the whole file. The attachment is then `listo`. Its size and hash must be those of the attachment, ' +
        'and `tipo` becomes the media type that its bytes show. ' +
        'A repeated upload of the same file succeeds, one of another file is 409.',
      response: { 200: adjuntos.schemas.record }
    }
  }, async (request, reply) => {
    const record = await uploading(request, async (destination, body) => await upload(destination, body, request.headers['content-length']))
    return await sendWritten(request, reply, record)
  })
}
