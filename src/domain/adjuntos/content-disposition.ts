/** Characters that no file name has: separators of paths, control characters, and marks that change the direction of text. */
const unsafe = /[/\\:*?"<>|\p{Cc}\p{Bidi_Control}]/gu

/**
 * The header `Content-Disposition` of a file to save (RFC 6266). Browsers know the second parameter (RFC 8187).
 * @param name as a user wrote it
 * @param endings of names of its media type. Another name gets the first one.
 */
export function contentDisposition (name: string, endings: readonly [string, ...string[]]): string {
  const safe = name.replace(unsafe, '_').replace(/^\.+/, '_')
  const ending = safe.slice(safe.lastIndexOf('.') + 1).toLowerCase()
  const full = safe.includes('.') && endings.includes(ending) ? safe : `${safe}.${endings[0]}`
  const ascii = full.normalize('NFD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_')
  const encoded = encodeURIComponent(full).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
