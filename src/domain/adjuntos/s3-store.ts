import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client,
  type ListObjectsV2CommandInput, type ListObjectsV2CommandOutput
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { FastifyBaseLogger } from 'fastify'
import { limits } from '../../config/limits.ts'
import type { Bucket } from '../../config/bucket-url.ts'
import { Crowded } from '../../database/turns/crowded.ts'
import { fileStream, listened } from '../../files/streams.ts'
import { StoreError, type FileAnswer, type FileKey, type FileRequest, type FileStore } from './file-store.ts'
import type { FolderStore } from './folder-store.ts'
import { unless404, asStoreError } from './s3-errors.ts'
import { clientConfig, signedOrigin } from './s3-client.ts'

/** Timeouts of a request, and of one that sends a file, in ms. The former also runs under the lock of a company. */
const { bucketRequestMs: requestMs, bucketSendMs: sendMs } = limits.files

/** Pause in ms before a file is sent again. */
const pauseMs = 200

/** Life of a URL for a client in seconds. */
const urlSeconds = limits.files.urlMs / 1000

/** Objects of an S3-compatible service, `<prefix><company>/<sha256>`. Temporary files stay on this machine. */
export class S3Store implements FileStore {
  readonly place: string
  readonly #bucket: Bucket
  readonly #local: FolderStore
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #client: S3Client
  /** Signs URLs for clients. */
  readonly #signer: S3Client

  /** @param local has the temporary files */
  constructor (bucket: Bucket, local: FolderStore, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.place = `the bucket ${bucket.name} of FILES_URL`
    this.#bucket = bucket
    this.#local = local
    this.#log = log
    this.#client = new S3Client(clientConfig(bucket, bucket.endpoint))
    this.#signer = bucket.publicEndpoint === undefined ? this.#client : new S3Client(clientConfig(bucket, bucket.publicEndpoint))
  }

  async check (): Promise<void> {
    await this.#local.check()
    try {
      await this.#list({ MaxKeys: 1 })
    } catch (error) {
      // An outage of the service must not keep servers from starting, because only files need it.
      if (!(error instanceof StoreError) || !error.isOutage) throw error
      this.#log.warn({ reason: error.message }, 'the service of FILES_URL does not answer: uploads and downloads get 503 until it does')
    }
  }

  async temporary (): Promise<string> {
    return await this.#local.temporary()
  }

  async send (temporary: string, key: FileKey): Promise<boolean> {
    const { size } = await stat(temporary)
    const signal = AbortSignal.timeout(sendMs)
    let canBeDone = false
    for (let isRepeated = false; ; isRepeated = true) {
      try {
        await this.#put(temporary, key, size, signal)
        return true
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        const { message, status, isOutage } = error
        // Also after a first attempt without an answer whose repetition is refused.
        canBeDone ||= error.canBeDone
        // The service can have closed the connection. The SDK does not repeat a stream.
        if (status !== undefined || isRepeated || signal.aborted) throw new StoreError(message, { status, isOutage, canBeDone })
        await sleep(pauseMs)
      }
    }
  }

  async add (_temporary: string, key: FileKey): Promise<void> {
    if (await this.sizeOf(key) === undefined) throw new Crowded('the bytes of an upload were removed before its last transaction')
  }

  async remove (key: FileKey): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(key))
    await this.#ask('remove a file', async abortSignal => await this.#client.send(command, { abortSignal }))
  }

  async read (key: FileKey): Promise<Readable | undefined> {
    const command = new GetObjectCommand(this.#object(key))
    // The signal also ends the body.
    const abortSignal = AbortSignal.timeout(sendMs)
    return await unless404(this.#ask('read a file', async () => {
      const { Body } = await this.#client.send(command, { abortSignal })
      return listened(Body as Readable) // as the client in Node.js answers
    }))
  }

  async sizeOf (key: FileKey): Promise<number | undefined> {
    const command = new HeadObjectCommand(this.#object(key))
    return await unless404(this.#ask('find a file', async abortSignal => (await this.#client.send(command, { abortSignal })).ContentLength))
  }

  async * keys (): AsyncIterable<FileKey> {
    for (let ContinuationToken: string | undefined; ;) {
      const { Contents = [], NextContinuationToken } = await this.#list({ ContinuationToken })
      for (const { Key = '' } of Contents) {
        const [, company, sha256] = /^(\d+)\/([^/]+)$/.exec(Key.slice(this.#bucket.prefix.length)) ?? []
        if (sha256 !== undefined) yield { company: Number(company), sha256 }
      }
      if (NextContinuationToken === undefined) return
      ContinuationToken = NextContinuationToken
    }
  }

  /** A URL is for one method, so HEAD is answered here. */
  async answer (key: FileKey, { method, bytes, headers: file }: FileRequest): Promise<FileAnswer> {
    if (method === 'HEAD') {
      return { statusCode: 200, headers: { 'content-length': String(bytes), 'accept-ranges': 'bytes' }, stream: Readable.from([]) }
    }
    const command = new GetObjectCommand({
      ...this.#object(key),
      ResponseContentType: file['content-type'],
      ResponseContentDisposition: file['content-disposition'],
      ResponseCacheControl: 'private, no-store'
    })
    const location = await this.#ask('sign a URL', async () => await getSignedUrl(this.#signer, command, { expiresIn: urlSeconds }))
    return { statusCode: 302, headers: { location, 'cache-control': 'no-store' } }
  }

  async origin (): Promise<string> {
    return await signedOrigin(this.#bucket)
  }

  async sweep (olderThanMs: number): Promise<void> {
    await this.#local.sweep(olderThanMs)
  }

  close (): void {
    this.#client.destroy()
    this.#signer.destroy()
  }

  #object ({ company, sha256 }: FileKey): { Bucket: string, Key: string } {
    return { Bucket: this.#bucket.name, Key: `${this.#bucket.prefix}${company}/${sha256}` }
  }

  async #put (temporary: string, key: FileKey, size: number, abortSignal: AbortSignal): Promise<void> {
    const { sha256 } = key
    const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
    const failed = new AbortController()
    const Body = fileStream(temporary).on('error', error => failed.abort(error))
    const command = new PutObjectCommand({ ...this.#object(key), Body, ContentLength: size, ChecksumSHA256 })
    // The signature covers the hash, so each service refuses other bytes, also one that does not know `ChecksumSHA256`.
    command.middlewareStack.add(next => async (args) => {
      Object.assign(Object(args.request).headers, { 'x-amz-content-sha256': sha256 })
      return await next(args)
    }, { step: 'build', name: 'signedHash' })
    try {
      await this.#ask(
        'store a file', async () => await this.#client.send(command, { abortSignal: AbortSignal.any([abortSignal, failed.signal]) })
      )
    } finally {
      Body.destroy()
    }
  }

  async #list (page: Pick<ListObjectsV2CommandInput, 'MaxKeys' | 'ContinuationToken'>): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket.name, Prefix: this.#bucket.prefix, ...page })
    return await this.#ask('list the files', async abortSignal => await this.#client.send(command, { abortSignal }))
  }

  /** @param task what is asked, in messages @throws {StoreError} with a message that has no part of the request */
  async #ask<T> (task: string, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await request(AbortSignal.timeout(requestMs))
    } catch (error) {
      throw asStoreError(error, `${this.place}: cannot ${task}`)
    }
  }
}
