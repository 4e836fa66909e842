import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Compressed, digestTag, encodingFor, namedTag, sendEncoded } from '../../src/http/representation.ts'
import { kinds } from '../../src/http/route-kinds.ts'

const Document = Type.Object({
  openapi: Type.String(),
  info: Type.Object({}),
  paths: Type.Object({}),
  components: Type.Object({})
}, { additionalProperties: true })

export default async function openapiRoutes (app: FastifyInstance) {
  // Generated on the first request. Its bytes are kept, also in each coding in which somebody has read it.
  let made: Promise<{ document: Compressed, tag: string }> | undefined

  async function make () {
    const text = JSON.stringify(await app.openapi())
    return { document: new Compressed(Buffer.from(text)), tag: digestTag(text) }
  }

  async function show (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { document, tag } = await (made ??= make())
    reply.header('cache-control', 'no-cache').header('vary', 'Accept-Encoding')
    const named = namedTag(request.headers['if-none-match'], tag)
    if (named !== undefined) return reply.code(304).header('etag', named === '*' ? tag : named).send()
    const encoding = encodingFor(request.headers['accept-encoding'], document.bytes.length)
    return sendEncoded(reply.header('content-language', 'en'), document.bytes, tag, encoding, encoding && await document.in(encoding))
  }

  app.get('', {
    config: { kind: { ...kinds.read, fails: ['Throttled'] } },
    onRequest: async request => app.throttleAddress(request),
    schema: {
      operationId: 'retrieveOpenapi',
      summary: 'Retrieve the OpenAPI document',
      tags: ['documentation'],
      response: { 200: Document, 304: Type.Null() }
    }
  }, show)
}
