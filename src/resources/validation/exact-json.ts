import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { limits } from '../../config/limits.ts'
import { httpError, nonFieldErrors, ValidationError } from '../../http/errors.ts'
import type { ProblemKey } from '../../http/problem-codes.ts'
import { readText, type FindFault } from '../../http/request-body.ts'
import { requestSlices, sendersOf } from '../../http/slices.ts'
import { callerOf } from '../../limits/caller.ts'

/** A JSON number whose source text JavaScript would not print back: `1500.50`, `1e2`, 20 digits. */
export class ExactNumber {
  readonly source: string

  constructor (source: string) {
    this.source = source
  }
}

/** Maximum fields of an object, more than any resource has. A 400 lists each unknown field. */
const mostFields = limits.bodies.fields

/** Maximum values of a body, including nested ones: enough for 1,000 items of {@link mostFields}. */
const mostValues = limits.bodies.values

/** Values, and characters, after which a slice can end. 1,000 short values take less than 1 ms, and so do 64 KiB of text. */
const valuesPerSlice = 1000
const charactersPerSlice = 65_536

/** Maximum code units of a character in any Unicode normalization form. Bodies can have another form than fields. */
export const longestCharacter = limits.bodies.text

/** Length up to which a text is one slice. Every value has a character, and most have a comma. */
const shortText = valuesPerSlice

type JsonFault = Extract<ProblemKey, 'jsonUnexpected' | 'jsonEnd' | 'jsonPrototype'>

/** An open object or list. `key` is the current field. */
interface Frame {
  object: Record<string, unknown> | undefined
  list: unknown[]
  key: string
  fields: number
}

const [quote, backslash, unicodeEscape, comma, colon] = [0x22, 0x5c, 0x75, 0x2c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const hexPattern = /[\da-fA-F]{4}/y
const escapes = new Set('"\\/bfnrt')
const literals = [['true', true], ['false', false], ['null', null]] as const

/** Bytes after the `u` of an escape such as `\u00e9`. */
const digitsOfEscape = 4

/** Characters that a number cannot end with, at most: `e+`. */
const longestEnd = 2

/** The bytes between values: braces, brackets, commas, colons and blanks. */
const isBetween = new Uint8Array(256)
for (const byte of Buffer.from('{}[],: \n\r\t')) isBetween[byte] = 1

/** Limits of the texts in a body. */
export interface TextLimits {
  /** Characters of the longest text that a body can have. */
  maxLength: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Characters of the longest text that the body can have, or Infinity if it can have the fields of any resource. */
    longestText?: number
  }
}

/**
 * Makes the parser of JSON bodies.
 * @param all limits of all bodies together, read at each body, because routes are declared after the parser
 * @returns reads and parses the body of a request, an empty object for an empty body
 * @throws as {@link readText} and {@link parseExactJson}
 */
export function jsonBodyParser (all: TextLimits): (request: FastifyRequest, payload: IncomingMessage) => Promise<unknown> {
  return async function parseJsonBody (request, payload) {
    const limits = { maxLength: Math.min(request.routeOptions.config.longestText ?? Infinity, all.maxLength) }
    const body = await readText(request, payload, longTextFinder(longestCharacter * limits.maxLength))
    if (body === '') return {}
    const caller = callerOf(request)
    const parsed = await parseInSlices(body, caller, limits)
    if (typeof parsed === 'object' && parsed !== null) sendersOf.set(parsed, caller)
    return parsed
  }
}

/**
 * Parses JSON in one pass without rounding: a number that JavaScript would print differently keeps its source text. `JSON.parse` with a
 * reviver takes 20 times as long for a body of numbers, and its errors are in English only.
 * @throws {ValidationError} for invalid JSON, a key that changes a prototype, a text that is too long, or an object with more than
 *   {@link mostFields} fields
 * @throws {HttpError} 413 for more than {@link mostValues} values
 */
export function parseExactJson (text: string, limits?: TextLimits): unknown {
  return parserOf(text, limits)(mostValues, text.length)?.value
}

/** Like {@link parseExactJson}, but other requests run between slices of a long text. @param caller as `callerOf` names it */
export async function parseInSlices (text: string, caller: string, limits?: TextLimits): Promise<unknown> {
  if (text.length <= shortText) return parseExactJson(text)
  const parse = parserOf(text, limits)
  const pause = requestSlices.begin(caller)
  while (true) {
    const parsed = parse(valuesPerSlice, charactersPerSlice)
    if (parsed !== undefined) return parsed.value
    await pause()
  }
}

/**
 * Makes a parser of a text.
 * @returns parses a number of values, or somewhat more than a number of characters, and returns undefined if the text has more. The next
 * call continues there.
 */
function parserOf (
  text: string, { maxLength }: TextLimits = { maxLength: Infinity }
): (mostOfSlice: number, characters: number) => { value: unknown } | undefined {
  const mostUnits = longestCharacter * maxLength
  const stack: Frame[] = []
  let frame: Frame | undefined
  let at = 0
  let values = 0

  return function parse (mostOfSlice, characters) {
    const [lastValue, lastCharacter] = [Math.min(values + mostOfSlice, mostValues), at + characters]
    while (values < lastValue && at <= lastCharacter) {
      const value = readValue()
      if (value === undefined) continue
      const whole = put(value)
      if (frame !== undefined) continue
      skipBlanks()
      if (at < text.length) throw unexpected()
      // A single number is never a valid body, and an ExactNumber would count as an object.
      return { value: whole instanceof ExactNumber ? Number(whole.source) : whole }
    }
    if (values >= mostValues) throw httpError(413, { key: 'tooManyValues', values: { count: mostValues } })
    return undefined
  }

  /** Puts a value into the open object or list, and closes each that ends. @returns the last one that has ended, or the value */
  function put (value: unknown): unknown {
    while (frame !== undefined) {
      if (frame.object === undefined) frame.list.push(value)
      else frame.object[frame.key] = value
      skipBlanks()
      const code = text.charCodeAt(at)
      if (code === comma) {
        at++
        if (frame.object !== undefined) readKey(frame)
        return value
      }
      if (code !== (frame.object === undefined ? closeBracket : closeBrace)) throw unexpected()
      at++
      value = frame.object ?? frame.list
      frame = stack.pop()
    }
    return value
  }

  /** @returns undefined at the start of a non-empty object or list */
  function readValue (): unknown {
    skipBlanks()
    values++
    const code = text.charCodeAt(at)
    if (code === quote) return readString()
    if (code === openBrace) return open({}, closeBrace)
    if (code === openBracket) return open(undefined, closeBracket)
    return readNumber() ?? readLiteral()
  }

  function open (object: Frame['object'], end: number): unknown {
    at++
    skipBlanks()
    if (text.charCodeAt(at) === end) {
      at++
      return object ?? []
    }
    if (frame !== undefined) stack.push(frame)
    frame = { object, list: [], key: '', fields: 0 }
    if (object !== undefined) readKey(frame)
    return undefined
  }

  function readKey (frame: Frame): void {
    skipBlanks()
    if (text.charCodeAt(at) !== quote) throw unexpected()
    const start = at
    const key = readString(path)
    const inConstructor = key === 'prototype' && stack.at(-1)?.key === 'constructor' && stack.at(-1)?.object !== undefined
    if (key === '__proto__' || inConstructor) throw fault('jsonPrototype', start)
    if (++frame.fields > mostFields) throw new ValidationError([{ field: path(), key: 'maxItems', values: { max_length: mostFields } }])
    frame.key = key
    skipBlanks()
    if (text.charCodeAt(at) !== colon) throw unexpected()
    at++
  }

  /** A slice can only end between values, so a text that no field accepts ends the parser. @param field path for the error */
  function readString (field = valuePath): string {
    const start = at++
    let escaped = false
    let last = start + mostUnits
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (at > last) throw tooLong(field())
      if (code === backslash) {
        escaped = true
        const from = at++
        skipEscape()
        last += at - from - 1
      } else if (code >= 0x20) {
        at++
      } else {
        throw unexpected() // a control character, or NaN at the end
      }
    }
    at++
    return escaped ? JSON.parse(text.slice(start, at)) : text.slice(start + 1, at - 1)
  }

  function skipEscape (): void {
    if (text[at] === 'u') {
      hexPattern.lastIndex = at + 1
      if (!hexPattern.test(text)) throw unexpected()
      at += 5
    } else if (escapes.has(text[at] ?? '')) {
      at++
    } else {
      throw unexpected()
    }
  }

  function readNumber (): number | ExactNumber | undefined {
    numberPattern.lastIndex = at
    if (!numberPattern.test(text)) return undefined
    const source = text.slice(at, numberPattern.lastIndex)
    if (source.length > mostUnits) throw tooLong(valuePath())
    at = numberPattern.lastIndex
    const value = Number(source)
    return String(value) === source ? value : new ExactNumber(source)
  }

  function readLiteral (): boolean | null {
    for (const [word, value] of literals) {
      if (text.startsWith(word, at)) {
        at += word.length
        return value
      }
    }
    throw unexpected()
  }

  function skipBlanks (): void {
    for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; code = text.charCodeAt(at)) at++
  }

  /** Path of the current object, such as `items.3`. */
  function path (): string {
    const parts = stack.map(({ object, list, key }) => object === undefined ? list.length : key)
    return parts.length === 0 ? nonFieldErrors : parts.join('.')
  }

  /** Path of the current value, such as `items.3.folio`. */
  function valuePath (): string {
    if (frame === undefined) return nonFieldErrors
    const last = frame.object === undefined ? frame.list.length : frame.key
    return stack.length === 0 ? String(last) : `${path()}.${last}`
  }

  function tooLong (field: string): ValidationError {
    return new ValidationError([{ field, key: 'maxLength', values: { max_length: maxLength } }])
  }

  function unexpected (): ValidationError {
    return at < text.length ? fault('jsonUnexpected', at) : fault('jsonEnd', text.length)
  }

  function fault (key: JsonFault, offset: number): ValidationError {
    let line = 1
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line++
      start = end + 1
    }
    const found = String.fromCodePoint(text.codePointAt(offset) ?? 0)
    return new ValidationError([{ field: nonFieldErrors, key, values: { found: shown(found), line, column: offset - start + 1 } }])
  }
}

/** Formats a character for a message. An invisible character becomes its code point. */
function shown (character: string): string {
  return /[\p{C}\p{Z}\p{M}]/u.test(character)
    ? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
    : character
}

/**
 * Finds the first text or number of a JSON body that has more than `most` code units, so that the rest of the body is not kept. A character
 * of four bytes counts as one unit here and as two in the parser. So the parser refuses all that this function finds, and names its field.
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
        if (units > most + (isInText ? 0 : longestEnd)) return at
        units++
        isEscape = isInText && byte === backslash
      }
    }
    return undefined
  }
}
