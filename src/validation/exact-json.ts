import { parse } from 'secure-json-parse'

/** A JSON number whose source text JavaScript would not print back: `1500.50`, `1e2`, 20 digits. */
export class ExactNumber {
  readonly source: string

  constructor (source: string) {
    this.source = source
  }
}

// What only a number can look like that does not print back: a fraction, an exponent, many digits, a minus zero.
const suspect = /\d[.eE]|\d{16}|-0/

/**
 * Parses JSON without rounding any number: one that a JavaScript number does not print back is kept by its source text.
 * @throws {SyntaxError} for what is not JSON, or has a key that would change a prototype
 */
export function parseExactJson (text: string): unknown {
  const value = suspect.test(text) ? parse(text, keepSource) : parse(text)
  // The whole text being a number, it has no field to be exact under, and must not be taken for an object.
  return value instanceof ExactNumber ? Number(value.source) : value
}

// The third argument is ECMAScript's "JSON.parse source text access".
function keepSource (_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || String(value) === context.source) return value
  return new ExactNumber(context.source)
}
