import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers with a file, or 304. `@fastify/send` is loaded on the first use. @param name of the file in the folder `root` */
export async function sendFile (request: FastifyRequest, reply: FastifyReply, name: string, root: string): Promise<FastifyReply> {
  const { default: send } = await import('@fastify/send')
  const { statusCode, headers, stream } = await send(request.raw, name, { root })
  return reply.code(statusCode).headers(headers).send(stream)
}
