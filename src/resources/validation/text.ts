/**
 * The limit of Unicode's Stream-Safe Text Format (UAX #15): 30 combining marks in a row. Normalizing a run takes quadratic time, a minute
 * for 200,000 marks.
 */
const longRun = /(?<!\p{M})\p{M}{31}/u // the lookbehind keeps the search linear

/** Trims a text and converts it to NFC. @returns undefined for more than 30 combining marks in a row */
export function normalized (text: string): string | undefined {
  return longRun.test(text) ? undefined : text.trim().normalize('NFC')
}
