import { createHash } from 'node:crypto'

/** Bytes at the beginning of a file that no other file has. They begin like a JPEG. */
const own = 64

/** A file to upload, in two parts: its own bytes, and bytes that all files share, so that many files need little memory. */
export interface UploadFile {
  number: number
  bytes: number
  parts: [Buffer, Buffer]
  sha256: string
}

/** The bytes that all files share. @param bytes of a whole file */
export function sharedBytes (bytes: number): Buffer {
  return Buffer.alloc(bytes - own, 'bytes of a photo, ')
}

/** Makes the file with this number. */
export function uploadFile (number: number, shared: Buffer): UploadFile {
  const first = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), Buffer.from(` ${number}`)], own)
  const sha256 = createHash('sha256').update(first).update(shared).digest('hex')
  return { number, bytes: first.length + shared.length, parts: [first, shared], sha256 }
}
