import type { ErrorAnswer } from './error-answer.ts'

/** Error answers of routes that tus uses. Each route has them with its headers. */
export const fileAnswers = {
  FilePending: {
    status: 409,
    description: 'The server does not have the bytes of the file yet.',
    causes: [['conflict', 'filePending']]
  },
  FileLost: {
    status: 410,
    description: 'The server has lost the bytes of the file. An upload of the same file brings them back.',
    causes: [['file_lost', 'fileLost']]
  },
  WrongOffset: {
    status: 409,
    description: 'The body does not begin at the offset of the upload.',
    causes: [['conflict', 'wrongOffset', { offset: 262_144 }]]
  },
  TusVersion: {
    status: 412,
    description: 'The server does not support the version of tus.',
    causes: [['precondition_failed', 'tusVersion', { version: '1.0.0' }]]
  },
  PartPreconditionFailed: {
    status: 412,
    description: 'The record has changed since the version in `If-Match`, or the server does not support the version of tus.',
    causes: [['precondition_failed', 'preconditionFailed'], ['precondition_failed', 'tusVersion', { version: '1.0.0' }]]
  },
  RangeNotSatisfiable: {
    status: 416,
    description: 'The file does not have the range.',
    causes: [['range_not_satisfiable', 'rangeNotSatisfiable', { bytes: 482_113 }]]
  }
} satisfies Record<string, ErrorAnswer>
