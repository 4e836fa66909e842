/** The dimensions of a measurement. */
export const dimensions = ['piezas', 'largo', 'ancho', 'alto'] as const

/** Quantities are whole numbers of this part. */
const places = 4

/**
 * The exact product of decimals with up to four places each, rounded to four places, ties away from zero.
 * @param factors decimal strings, one or more
 */
export function productOf (factors: readonly string[]): string {
  const scaled = factors.map(factor => BigInt(digitsOf(factor))).reduce((product, factor) => product * factor)
  const unit = 10n ** BigInt(places * (factors.length - 1))
  const size = (scaled < 0n ? -scaled : scaled) + unit / 2n
  const digits = String(size / unit).padStart(places + 1, '0')
  const sign = scaled < 0n && size / unit > 0n ? '-' : ''
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** The decimal in units of its fourth place. */
function digitsOf (decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  return whole + fraction.padEnd(places, '0')
}
