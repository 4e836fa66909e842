import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

/** Decoders by content coding. */
export const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

/** The text of a body, without its content coding. */
export function decoded (encoding: unknown, bytes: Buffer): string {
  return (typeof encoding === 'string' ? decoders[encoding as keyof typeof decoders](bytes) : bytes).toString()
}
