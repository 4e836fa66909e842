import t from 'tap'
import { fakeBucket } from '../../support/bucket.ts'
import { build } from '../../support/helper.ts'
import { demoPlace, refusedStart } from '../../support/process.ts'

t.test('a server does not start if the bucket refuses it', async (t) => {
  const { origin, stop, url } = await fakeBucket(t)
  const place = await demoPlace(t)
  const refused = async (env: Record<string, string>) => {
    const { code, stderr } = await refusedStart(t, place, { PORT: '0', LOG_LEVEL: 'silent', FILES_URL: url, ...env })
    t.not(code, 0)
    t.match(stderr, /^obra: [^\n]+\n$/, 'one line')
    t.notMatch(stderr, /a-secret-key/)
    return stderr
  }
  const list = 'the bucket obra-files of FILES_URL: cannot list the files'
  t.match(await refused({ AWS_ACCESS_KEY_ID: 'OTHER', AWS_SECRET_ACCESS_KEY: 'a-secret-key' }), `${list}: the service answers 403 InvalidAccessKeyId`)
  t.match(await refused({ AWS_SECRET_ACCESS_KEY: 'a-secret-key' }), `${list}: the service answers 403 SignatureDoesNotMatch`)
  t.match(await refused({ FILES_URL: `s3://other-bucket?endpoint=${origin}` }), 'the bucket other-bucket of FILES_URL: cannot list the files: the service answers 404 NoSuchBucket')
  t.match(await refused({ FILES_URL: `s3://S3RVER:a-secret-key@obra-files?endpoint=${origin}` }), 'FILES_URL must be')
  const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true', HOME: place.dir }
  t.match(await refused(none), `${list}: CredentialsProviderError`)
  await stop()
  const { app } = await build(t, { FILES_URL: url, DATA_DIR: t.testdir() })
  t.equal((await app.inject('/health/ready/')).statusCode, 200, 'an outage keeps no server from starting')
})
