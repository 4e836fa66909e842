import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { digestTag, namedTag } from '../http/representation.ts'
import { plainJavaScript } from './plain-javascript.ts'

/** The modules that were sent, by path. */
const sent = new Map<string, { source: string, code: string, tag: string }>()

/** The JavaScript of a TypeScript file, made again when the file has changed. */
async function moduleAt (path: string): Promise<{ code: string, tag: string }> {
  const source = await readFile(path, 'utf8')
  const known = sent.get(path)
  if (known?.source === source) return known
  const code = plainJavaScript(source)
  const made = { source, code, tag: digestTag(code) }
  sent.set(path, made)
  return made
}

/** Answers with a TypeScript file as JavaScript, or 304. */
export async function sendModule (request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
  const { code, tag } = await moduleAt(path)
  reply.headers({ 'cache-control': 'public, max-age=0', etag: tag })
  if (namedTag(request.headers['if-none-match'], tag) !== undefined) return reply.code(304).send()
  return reply.type('application/javascript; charset=utf-8').send(code)
}
