import type { ErrorAnswerName } from './error-answers.ts'

/** A request header that routes can take, by name of its component in the OpenAPI document. */
export type RequestHeader =
  'HeadTusResumable' | 'IdempotencyKey' | 'IfMatch' | 'IfNoneMatch' | 'IfRange' | 'LastEventId' | 'Prefer' | 'Range' | 'TusResumable' |
  'UploadLength' | 'UploadOffset'

/** A header that the answers of a route can have beside those of every answer. */
export type AnswerHeader =
  'Accept-Ranges' | 'Content-Disposition' | 'Content-Range' | 'ETag' | 'Idempotency-Replayed' | 'Location' | 'Preference-Applied' |
  'Tus-Resumable' | 'Tus-Version' | 'Upload-Expires' | 'Upload-Length' | 'Upload-Offset' | 'X-Accel-Buffering'

/** What a route is: its headers and error answers beside those of every route. The OpenAPI document has no other source for them. */
export interface RouteKind {
  /** Headers that a request can have. With `IfNoneMatch`, an answer can be 304. */
  takes?: readonly RequestHeader[]
  /** Headers of a success. */
  sends?: readonly AnswerHeader[]
  /** Headers of errors: of every status, and instead of these those of a single one. */
  sendsOnError?: { every: readonly AnswerHeader[], [status: number]: readonly AnswerHeader[] }
  /**
   * Error answers beside 400, 406, 500, 503 and those of the route's access (401, 403, 429). One of these statuses replaces that of the
   * access.
   */
  fails?: readonly ErrorAnswerName[]
  /** Rule of every route of this kind, for its description. */
  rule?: string
  /** Whether the body can be a bulk as CSV too. */
  csvBody?: true
  /** Media types of the file that is the body, or of the file that is the answer. */
  bodyTypes?: readonly string[]
  answerTypes?: readonly string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route is. The server does not start if a route of the document declares none. */
    kind?: RouteKind
    /** Id of a record of the demo data for the example of `:id`. Default: 1. */
    exampleId?: number | undefined
  }
}

/** Errors of a route that reads a body. Fastify reads, and refuses, the body of a DELETE too. */
const bodyErrors = ['TooLarge', 'UnsupportedMediaType'] as const

/** Reads the version of an answer. */
const tagged = { takes: ['IfNoneMatch'], sends: ['ETag'] } as const

/** Changes a record. The caller can name the version that it read. */
const conditional = { takes: ['IfMatch'], sends: ['ETag'], fails: ['NotFound', 'Conflict', 'PreconditionFailed', ...bodyErrors] } as const

const removed = (fails: 'Protected' | 'ProtectedAccount') =>
  ({ takes: ['IfMatch'], fails: ['NotFound', fails, 'PreconditionFailed', ...bodyErrors] }) as const

/** Kinds of routes. A route whose answers no kind has declares its own. */
export const kinds = {
  /** GET without an id: it always finds something. */
  read: tagged,
  /** GET of a page of records. */
  list: { ...tagged, fails: ['NoSuchPage'] },
  /** GET of a record, or of a report about it. */
  record: { ...tagged, fails: ['NotFound'] },
  /** POST of a record. */
  create: {
    takes: ['IdempotencyKey'],
    sends: ['ETag', 'Idempotency-Replayed', 'Location'],
    fails: ['Conflict', 'IdempotencyMismatch', ...bodyErrors]
  },
  /** POST of many records. */
  bulk: {
    takes: ['IdempotencyKey'],
    sends: ['Idempotency-Replayed'],
    fails: ['BulkConflict', 'IdempotencyMismatch', ...bodyErrors],
    csvBody: true
  },
  /** PUT of a record. */
  replace: { ...conditional, rule: 'Required fields must be present. Omitted optional fields keep their values.' },
  /** PATCH of a record. */
  patch: conditional,
  /** DELETE of a record of a company. */
  remove: removed('Protected'),
  /** DELETE of an account. */
  removeAccount: removed('ProtectedAccount'),
  /** A write that is not of one record: nothing is created, and no version is named. */
  command: { fails: bodyErrors },
  /** POST that does something with a record, and returns no version of it. */
  action: { fails: ['NotFound', ...bodyErrors] },
  /** GET that no limit counts. */
  probe: {}
} as const satisfies Record<string, RouteKind>
