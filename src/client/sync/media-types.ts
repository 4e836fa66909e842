/** The media types of files that the service takes. A test compares them with the service's. */
export const fileTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'application/pdf',
  'application/xml',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
] as const

type FileType = typeof fileTypes[number]

/** Other names of these types. The test compares them too. */
export const otherNames: Record<string, FileType> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heic',
  'text/xml': 'application/xml'
}

/**
 * The media type under the service's name: without parameters such as `charset`, in lower case.
 * @returns undefined for a type that the service does not take
 */
export function normalizedType (type: string): FileType | undefined {
  const [bare = ''] = type.split(';')
  const name = bare.trim().toLowerCase()
  return (Object.hasOwn(otherNames, name) ? otherNames[name] : undefined) ?? fileTypes.find(known => known === name)
}

/** Whether a media type says nothing about a file. */
export function isUnknownType (type: string) {
  return type.trim() === '' || /^\s*application\/octet-stream\s*(;|$)/i.test(type)
}

/** Brands of files of ISO/IEC 23008-12 that the service takes as HEIC. The test compares them too. */
const heicBrands = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1']

/**
 * The media type that the first bytes of a file show. Many systems give HEIC files none. A spreadsheet is a ZIP archive, whose first bytes
 * do not show what it has.
 */
export function typeOf (content: Uint8Array): FileType | undefined {
  const text = String.fromCharCode(...content.subarray(0, 256))
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('ftyp', 4) && heicBrands.includes(text.slice(8, 12))) return 'image/heic'
  if (text.startsWith('%PDF-')) return 'application/pdf'
  return /^(?:\xef\xbb\xbf)?\s*<\?xml\s/.test(text) ? 'application/xml' : undefined
}
