import { limits } from '../../config/limits.ts'
import { namesIn } from '../../http/names.ts'

/** The largest file in bytes. */
export const maxFileBytes = limits.files.bytes

/** The media types of files, with the endings of their names. The first one is added to names with another ending. */
export const fileTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/heic': ['heic', 'heif'],
  'application/pdf': ['pdf'],
  'application/xml': ['xml'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx']
} as const satisfies Record<string, readonly [string, ...string[]]>

/** The media type of a file. */
export type FileType = keyof typeof fileTypes

/** Other names of these types, which browsers, phones and mail programs give. */
export const otherNames: Record<string, FileType> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'text/xml': 'application/xml'
}

/**
 * The kinds of electronic invoices that are read: income, credit note, payment receipt, transport. A payroll has personal data, so it is
 * not.
 */
export const cfdiKinds = ['I', 'E', 'P', 'T'] as const

/** An attachment as answers have it. */
export interface Attachment {
  id: number
  company: number
  nombre: string
  tipo: FileType
  bytes: number
  sha256: string
  estado: 'pendiente' | 'listo'
  version: number
  updated_at: string
}

export const mimeTypes = namesIn(fileTypes)
