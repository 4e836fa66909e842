import { GetObjectCommand, S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { limits } from '../../config/limits.ts'
import type { Bucket } from '../../config/bucket-url.ts'

const connectionMs = 2000

/** Connections to the service. */
const maxSockets = limits.files.bucketConnections

/** Without it, the client would write warnings to the console. The store reports failures itself. */
const silent = { trace () {}, debug () {}, info () {}, warn () {}, error () {} }

/** The options of a client of the service. @param endpoint its address; undefined for that of AWS */
export function clientConfig ({ region }: Bucket, endpoint: string | undefined): S3ClientConfig {
  const regionName = region ?? (endpoint === undefined ? undefined : 'us-east-1')
  return {
    ...regionName === undefined ? {} : { region: regionName },
    // Services other than AWS often have no name for each bucket.
    ...endpoint === undefined ? {} : { endpoint, forcePathStyle: true },
    requestHandler: {
      connectionTimeout: connectionMs,
      httpAgent: { maxSockets, keepAlive: true },
      httpsAgent: { maxSockets, keepAlive: true }
    },
    // Other services do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent
  }
}

/** The origin of signed URLs, which depends on the region and the style of addresses. */
export async function signedOrigin (bucket: Bucket): Promise<string> {
  // A key that signs nothing: the credentials of a machine may not be there yet.
  const client = new S3Client({
    ...clientConfig(bucket, bucket.publicEndpoint ?? bucket.endpoint), credentials: { accessKeyId: 'none', secretAccessKey: 'none' }
  })
  try {
    return new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket.name, Key: 'any' }))).origin
  } finally {
    client.destroy()
  }
}
