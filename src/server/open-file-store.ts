import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { bucketOf } from '../config/bucket-url.ts'
import type { FileStore } from '../domain/adjuntos/file-store.ts'
import { FolderStore } from '../domain/adjuntos/folder-store.ts'

/** The store of `FILES_URL`, or the folder in `DATA_DIR`. The library for S3 is loaded only for the former. */
export async function openFileStore (config: Config, log: Pick<FastifyBaseLogger, 'warn'>): Promise<FileStore> {
  const { DATA_DIR: dataDir, FILES_URL: url } = config
  const folder = new FolderStore(join(dataDir, 'files'))
  const bucket = url === undefined ? undefined : bucketOf(url)
  if (bucket === undefined) return folder
  const { S3Store } = await import('../domain/adjuntos/s3-store.ts')
  return new S3Store(bucket, folder, log)
}
