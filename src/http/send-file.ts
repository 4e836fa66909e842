import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { SendOptions } from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listened } from '../files/streams.ts'

/** The parts of an HTTP answer with a file. The stream is open. */
interface FileAnswer {
  statusCode: number
  headers: Record<string, string>
  stream: Readable
}

/**
 * Makes the answer to a request for a file. `@fastify/send` is loaded on the first use, and opens the file before somebody reads it.
 * @param name of the file in the folder `root`
 */
export async function fileAnswer (request: IncomingMessage, name: string, options: SendOptions & { root: string }): Promise<FileAnswer> {
  const { default: send } = await import('@fastify/send')
  const { statusCode, headers, stream } = await send(request, name, options)
  return { statusCode, headers, stream: listened(stream) }
}

/** Answers with a file, or 304. @param name of the file in the folder `root` */
export async function sendFile (request: FastifyRequest, reply: FastifyReply, name: string, root: string): Promise<FastifyReply> {
  const { statusCode, headers, stream } = await fileAnswer(request.raw, name, { root })
  return reply.code(statusCode).headers(headers).send(stream)
}
