import { once } from 'node:events'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import type { Test } from 'tap'
import type { Config } from '../../src/config.ts'
import type { Row } from '../../src/database/connection/sql.ts'
import { fakeBucket, type FakeBucket, type FileStoreKind } from './bucket.ts'
import { build, type Client, type TestServer } from './helper.ts'
import { succeeded } from './succeeded.ts'

/** The beginnings of files, by media type. */
const beginnings: Record<string, Buffer> = {
  'image/jpeg': Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  'image/png': Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'),
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  'application/xml': Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4"/>\n')
}

/** A file of a media type, with its own content. */
export function fileOf (tipo: string, content: string, bytes = 200): Buffer {
  const beginning = beginnings[tipo] ?? Buffer.alloc(0)
  const rest = Buffer.alloc(Math.max(0, bytes - beginning.length), ` ${content}`)
  return Buffer.concat([beginning, rest])
}

export const sha256Of = (file: Buffer): string => createHash('sha256').update(file).digest('hex')

/** The fields of an attachment that describe its file. */
export function described (file: Buffer, tipo: string) {
  return { tipo, bytes: file.length, sha256: sha256Of(file), nombre: 'archivo' }
}

/** A server with a store for files that listens, and helpers for attachments. */
export interface Attaching extends TestServer {
  origin: string
  /** `DATA_DIR/files`. */
  folder: string
  /** The fake service, if the files are in a bucket. */
  bucket?: FakeBucket
  /** The path of the file that has the bytes of a key such as `7/abc`. */
  pathOf: (key: string) => string
  director: Client
  /** Creates a contract. @returns its id */
  contract: () => Promise<number>
  /** Creates an attachment of a file. @throws if the request fails */
  attach: (file: Buffer, fields: object, client?: Client) => Promise<Row>
  /** Sends a request for the bytes of an attachment over a socket. */
  content: (id: number, request?: RequestInit, client?: Client) => Promise<Response>
  /** Uploads the bytes of an attachment. */
  put: (id: number, file: Buffer, client?: Client) => Promise<Response>
  /** The keys of all stored bytes, and the paths of temporary files. */
  stored: () => string[]
}

export async function attaching (t: Test, config: Partial<Config> = {}, kind: FileStoreKind = 'folder'): Promise<Attaching> {
  const dir = t.testdir()
  const bucket = kind === 'bucket' ? await fakeBucket(t) : undefined
  const server = await build(t, { DATA_DIR: dir, ...bucket && { FILES_URL: bucket.url }, ...config })
  // Without Fastify's `listen`, no job begins that would remove what a test has made old.
  await server.app.ready()
  await once(server.app.server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => { server.app.server.close().closeAllConnections() })
  const { port } = server.app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const folder = join(dir, 'files')
  const director = await server.as('director@demo.example')
  let contracts = 0
  const content: Attaching['content'] = async (id, request = {}, client = director) => await fetch(`${origin}/api/v1/adjuntos/${id}/contenido/`, {
    ...request, headers: { authorization: `Bearer ${client.access}`, ...request.headers as object }
  })
  return {
    ...server,
    origin,
    folder,
    ...bucket && { bucket },
    pathOf: bucket?.pathOf ?? (key => join(folder, key)),
    director,
    contract: async () => succeeded(await director.post('contracts/', { folio: `A-${++contracts}`, monto: '1000.00' })).id,
    attach: async (file, fields, client = director) => succeeded(await client.post('adjuntos/', { ...described(file, 'image/jpeg'), ...fields })),
    content,
    put: async (id, file, client) => await content(id, { method: 'PUT', body: new Uint8Array(file), headers: { 'content-type': 'application/octet-stream' } }, client),
    stored: () => {
      const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
      const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
      return [...paths, ...bucket?.keys() ?? []].sort()
    }
  }
}
