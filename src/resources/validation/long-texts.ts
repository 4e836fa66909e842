import type { FindFault } from '../../http/request-body.ts'

const [quote, backslash, unicodeEscape] = [0x22, 0x5c, 0x75]

/** Bytes after the `u` of an escape such as `\u00e9`. */
const digitsOfEscape = 4

/** The bytes between values: braces, brackets, commas, colons and blanks. */
const isBetween = new Uint8Array(256)
for (const byte of Buffer.from('{}[],: \n\r\t')) isBetween[byte] = 1

/**
 * Finds the first text or number of a JSON body that has more than `most` code units, so that the rest of the body is not kept. It counts a
 * character of four bytes once, so it finds nothing that the parser takes. The parser refuses the body up to there, with the field.
 */
export function longTextFinder (most: number): FindFault {
  let isInText = false
  let units = 0
  let isEscape = false
  /** Digits of an escape that are still to come. */
  let digits = 0

  return function findLongText (chunk) {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (digits > 0) {
        digits--
      } else if (isEscape) {
        isEscape = false
        if (byte === unicodeEscape) digits = digitsOfEscape
      } else if (byte === quote) {
        isInText = !isInText
        units = 0
      } else if (!isInText && isBetween[byte] === 1) {
        units = 0
      } else if ((byte & 0xc0) !== 0x80) { // the first byte of a character in UTF-8
        if (units > most) return at
        units++
        isEscape = isInText && byte === backslash
      }
    }
    return undefined
  }
}
