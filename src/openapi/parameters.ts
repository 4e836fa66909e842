import { limits } from '../config/limits.ts'
import { isAccountOperation } from '../auth/authority.ts'
import { largestAccountId, largestId } from '../resources/validation/convert.ts'
import type { RequestHeader } from '../http/route-kinds.ts'
import type { Operation } from './operation.ts'
import type { Schema } from './standard.ts'

/** An ETag of a record. */
export const exampleTag = '"1.57.hs2kqmb1rw.o7aWQ2Kd.3.hs2kqmb0pz"'

/** Request headers of routes, by name of their component. */
export const headerParameters = {
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of messages: `en` or `es`, also as `es-MX` or `es_MX`.',
    schema: { type: 'string' },
    example: 'es'
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Id of the request for logs. The answer has this id, or a generated one.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
    example: 'erp-20260301-0042'
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETags of answers that the client has. If one still matches, the answer is 304.',
    schema: { type: 'string' },
    example: exampleTag
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETag of the record that the client read. If the record has changed since, the answer is 412. ' +
      'Changes of other records do not matter.',
    schema: { type: 'string' },
    example: exampleTag
  },
  Range: {
    name: 'Range',
    in: 'header',
    description: 'Part of the file. With several parts, the answer is the whole file.',
    schema: { type: 'string' },
    example: 'bytes=0-65535'
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    description: '`ETag` of the file. If it is another one, `Range` is ignored.',
    schema: { type: 'string' },
    example: '"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"'
  },
  TusResumable: {
    name: 'Tus-Resumable',
    in: 'header',
    required: true,
    description: 'Version of tus.',
    schema: { type: 'string', const: '1.0.0' },
    example: '1.0.0'
  },
  HeadTusResumable: {
    name: 'Tus-Resumable',
    in: 'header',
    description: 'Version of tus. `HEAD` with it answers how far the upload is.',
    schema: { type: 'string', const: '1.0.0' },
    example: '1.0.0'
  },
  UploadOffset: {
    name: 'Upload-Offset',
    in: 'header',
    required: true,
    description: 'Offset of the first byte of the body. It must be that of the last answer or of `HEAD`, otherwise the answer is 409.',
    schema: { type: 'integer', minimum: 0 },
    example: 262144
  },
  UploadLength: {
    name: 'Upload-Length',
    in: 'header',
    required: true,
    description: 'Size of the file. It must be `bytes` of the attachment.',
    schema: { type: 'integer', minimum: 1 },
    example: 482113
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: `\`wait=N\`: if there is no change, wait up to N seconds for one, at most ${limits.connections.changeMs / 1000}.`,
    schema: { type: 'string' },
    example: 'wait=30'
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: '`id` of the last event that the client has.',
    schema: { type: 'string' },
    example: 'hNj8z1.1..t5.hofx3v48nc.t5.a-2f-6'
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Unique key of this request, per user, company and route. Within 24 hours, a repeated request gets the stored answer ' +
      'and writes nothing, unless the level or customer of the user has changed.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '3f0a6c1e-8f6b-4d0e-9a53-0d2f6a7d1c55'
  }
} as const satisfies Record<RequestHeader | 'AcceptLanguage' | 'RequestId', Schema>

/** Parameters of a bulk as CSV. JSON bodies have them as fields. */
const csvParameters: Schema[] = [
  {
    name: 'upsert',
    in: 'query',
    description: 'Only with CSV: `upsert` of a JSON body.',
    schema: { type: 'string' },
    example: 'external_id'
  },
  { name: 'partial', in: 'query', description: 'Only with CSV: `partial` of a JSON body.', schema: { type: 'boolean' }, example: false },
  {
    name: 'empty',
    in: 'query',
    description: 'Only with CSV: whether an empty cell omits its field (`keep`) or clears it (`clear`).',
    schema: { $ref: '#/components/schemas/EmptyCells', default: 'keep' },
    example: 'clear'
  }
]

/** The parameters of an operation: those of its schemas, and the headers of its kind. */
export function parametersOf (operation: Operation, own: Schema[]): Schema[] {
  const { kind: { takes = [], csvBody } } = operation
  const others = csvBody === true ? csvParameters : []
  const given = own.map(parameter => queryOrPath(operation, parameter))
  return [...others, ...given, ...['AcceptLanguage', 'RequestId', ...takes].map(name => ({ $ref: `#/components/parameters/${name}` }))]
}

function queryOrPath ({ access, exampleId = 1 }: Operation, parameter: Schema): Schema {
  const maximum = isAccountOperation(access) ? largestAccountId : largestId
  if (parameter['in'] === 'path') {
    const schema = { type: 'integer', minimum: 1, maximum }
    return { ...parameter, description: 'Id of the record.', schema, example: exampleId }
  }
  const { allOf: [reference] = [], deprecated, ...schema } = parameter['schema']
  const described = { ...parameter, ...deprecated === true ? { deprecated } : {}, schema: reference ?? schema }
  return schema.type === 'array' ? { ...described, style: 'form', explode: false } : described
}
