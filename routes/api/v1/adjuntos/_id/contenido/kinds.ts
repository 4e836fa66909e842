import { mimeTypes } from '../../../../../../src/domain/adjuntos/types.ts'
import type { RouteKind } from '../../../../../../src/http/route-kinds.ts'

/** Media types of a whole file as a body, and of a part of one. */
export const uploadTypes = [...mimeTypes, 'application/octet-stream']
export const partType = 'application/offset+octet-stream'

/** Errors of every route that takes a file. */
const fileErrors = ['NotFound', 'QuotaExceeded', 'NotAFile'] as const

/** Errors of tus name its version. The answer to an unsupported version also lists the supported ones. */
const sendsOnError = { every: ['Tus-Resumable'], 412: ['Tus-Resumable', 'Tus-Version'] } as const satisfies RouteKind['sendsOnError']

/** GET of a file. HEAD answers the progress of its upload. */
export const downloadKind = {
  takes: ['Range', 'IfRange', 'HeadTusResumable', 'IfNoneMatch'],
  sends: [
    'ETag', 'Content-Disposition', 'Accept-Ranges', 'Content-Range', 'Upload-Length', 'Tus-Resumable', 'Upload-Offset', 'Upload-Expires'
  ],
  sendsOnError,
  fails: ['NotFound', 'FilePending', 'FileLost', 'TusVersion', 'RangeNotSatisfiable'],
  answerTypes: mimeTypes
} as const satisfies RouteKind

/** PUT of a whole file. */
export const uploadKind = {
  takes: ['IfMatch'],
  sends: ['ETag'],
  fails: ['FileComplete', 'PreconditionFailed', ...fileErrors],
  bodyTypes: uploadTypes
} as const satisfies RouteKind

/** PATCH of tus: a part of a file. */
export const partKind = {
  takes: ['TusResumable', 'UploadOffset', 'IfMatch'],
  sends: ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'],
  sendsOnError,
  fails: ['WrongOffset', 'PartPreconditionFailed', ...fileErrors],
  bodyTypes: [partType]
} as const satisfies RouteKind

/** POST of tus: begins an upload, without a body. */
export const beginKind = {
  takes: ['TusResumable', 'UploadLength'],
  sends: ['Tus-Resumable', 'Location'],
  sendsOnError,
  fails: ['NotFound', 'TusVersion', 'TooLarge', 'UnsupportedMediaType']
} as const satisfies RouteKind
