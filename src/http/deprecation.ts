/** The notice of a part of the API that a later release removes. */
export interface Deprecation {
  /** Day from which the part is deprecated, in UTC, such as `2027-03-01`. */
  since: string
  /** Day from which a release can remove it, at least 12 months later. */
  sunset: string
  /** The replacement: a sentence for its description. */
  instead: string
}

/** Keywords whose values are data, not schemas. */
const data = new Set(['const', 'default', 'enum', 'examples'])

/** The notices of an operation: its own, and those of its parameters and fields. @throws {Error} for the keyword `deprecated: true` */
export function deprecationsOf (deprecated: Deprecation | undefined, schema: object = {}): Deprecation[] {
  return deprecationsIn({ deprecated, schema })
}

/**
 * The notices of a schema and of all schemas in it, which are the values of their keyword `deprecated`.
 * @throws {Error} for the value `true`, which has no days
 */
export function deprecationsIn (schema: object): Deprecation[] {
  const found: Deprecation[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'deprecated' && value === true) throw new Error('deprecated: true has no days: give since, sunset and instead')
    if (typeof value !== 'object' || value === null || data.has(keyword)) continue
    if (keyword === 'deprecated' && isNotice(value)) found.push(value)
    // The keys of `properties` are names of fields, which can also be words such as `default`.
    else if (keyword === 'properties') found.push(...Object.values<object>({ ...value }).flatMap(deprecationsIn))
    else found.push(...deprecationsIn(value))
  }
  return found
}

/**
 * The headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of answers that several deprecations concern, with the first time of each.
 * @throws {Error} for less than 12 months between `since` and `sunset`
 */
export function deprecationHeaders (deprecations: Deprecation[]): { deprecation: string, sunset: string } {
  for (const { since, sunset } of deprecations) {
    const earliest = new Date(since)
    earliest.setUTCFullYear(earliest.getUTCFullYear() + 1)
    if (!(new Date(sunset) >= earliest)) throw new Error(`the sunset ${sunset} is less than 12 months after ${since}`)
  }
  const first = (day: 'since' | 'sunset') => new Date(deprecations.map(one => one[day]).sort()[0])
  return { deprecation: `@${first('since').getTime() / 1000}`, sunset: first('sunset').toUTCString() }
}

/** The sentences that a description adds about a notice. */
export function noticeOf ({ since, sunset, instead }: Deprecation): string {
  return `Deprecated since ${since}. A release from ${sunset} on can remove it. ${instead}`
}

/** Whether the value of a property named `deprecated` is a notice. It can also be the schema of a field with this name. */
export function isNotice (value: unknown): value is Deprecation {
  return typeof value === 'object' && value !== null && 'since' in value && 'sunset' in value
}
