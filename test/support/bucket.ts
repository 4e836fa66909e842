import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { Test } from 'tap'
import { server } from './template.ts'

/** Where files can be. */
export type FileStoreKind = 'folder' | 'bucket'

/** Where tests store files: several machines, which need a bucket, need PostgreSQL too. */
export const fileStores: FileStoreKind[] = server === undefined ? ['folder'] : ['folder', 'bucket']

/** The name of the bucket, and the beginning of its keys. */
const name = 'obra-files'
const prefix = 'archivos'

/** The ending of the files in which the fake has the bytes of objects. */
const ending = '._S3rver_object'

/** Credentials of a service that tests start. The fake knows no others. */
export const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** A fake S3 service with one bucket. */
export interface FakeBucket {
  /** FILES_URL. */
  url: string
  origin: string
  /** The path of the file that has the bytes of a key such as `7/abc`. */
  pathOf: (key: string) => string
  /** The keys of all objects, sorted. */
  keys: () => string[]
  /** Ends the service. */
  stop: () => Promise<void>
  /** Starts the service again at the same address, with the same objects. */
  start: () => Promise<void>
}

const { encodeURIComponent: encode } = globalThis

/** The encoding of signatures. The fake takes `encodeURIComponent`, which leaves these characters as they are, also those of a file name. */
function encodeAll (value: string | number | boolean): string {
  return encode(value).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Starts a fake S3 service, which ends with the test. Servers in this process then have its credentials. */
export async function fakeBucket (t: Test): Promise<FakeBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'obra-bucket-'))
  const root = join(directory, name, prefix)
  const listen = async (port: number): Promise<Server> => {
    const fake = new S3rver({ address: '127.0.0.1', port, silent: true, directory, vhostBuckets: false, configureBuckets: [{ name }] })
    // The SDK signs `/obra-files/` for a list, and the fake expects `/obra-files`. With this, it expects the slash too.
    fake.middleware.splice(-1, 0, async (ctx, next) => {
      if (/^\/[^/]+\/$/.test(ctx.path)) {
        ctx.state.vhost = true
        ctx.mountPath = '/'
      }
      await next()
    })
    await fake.run()
    return fake.httpServer
  }
  let server = await listen(0)
  const { port } = server.address() as { port: number }
  const stop = async () => {
    const closed = new Promise(resolve => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
  const before = Object.keys(credentials).map(variable => [variable, process.env[variable]] as const)
  Object.assign(process.env, credentials)
  globalThis.encodeURIComponent = encodeAll
  t.teardown(async () => {
    globalThis.encodeURIComponent = encode
    for (const [variable, value] of before) {
      if (value === undefined) delete process.env[variable]
      else process.env[variable] = value
    }
    if (server.listening) await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  return {
    url: `s3://${name}/${prefix}?endpoint=${origin}`,
    origin,
    pathOf: key => join(root, key) + ending,
    keys: () => {
      const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : []
      const paths = entries.filter(entry => entry.name.endsWith(ending)).map(({ parentPath, name }) => relative(root, join(parentPath, name)))
      return paths.map(path => path.slice(0, -ending.length)).sort()
    },
    stop,
    start: async () => { server = await listen(port) }
  }
}
