import { invisible } from './invisible.ts'

/**
 * Limit of Unicode's Stream-Safe Text Format (UAX #15): 30 combining marks in a row. Normalizing a run takes quadratic time: one minute for
 * 200,000 marks.
 */
const longRun = /(?<!\p{M})\p{M}{31}/u // the lookbehind keeps the search linear

/**
 * The form in which texts are stored and compared: without invisible characters, trimmed, NFC.
 * @returns undefined for more than 30 combining marks in a row
 */
export function plainText (text: string): string | undefined {
  // Invisible characters between marks would hide a long run.
  const visible = text.replace(invisible, '').trim()
  return longRun.test(visible) ? undefined : visible.normalize('NFC')
}
