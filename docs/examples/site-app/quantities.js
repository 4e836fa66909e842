/*
 * Exact quantities with four places, as the service calculates them. Binary fractions would show 0.3000 as 0.30000000000000004.
 */

const places = 4
const one = 10n ** BigInt(places)

/**
 * Reads a number as people type it: `3,950,000`, `3,950,000.5`, `3.950.000,50`, `3950000,50`, `$ 1,250`. A comma before three digits groups
 * thousands, as the app shows them, unless the number begins with 0.
 * @param {string | null | undefined} text
 * @returns {string | undefined} digits with a decimal point; undefined for anything else
 */
export function plain (text) {
  const bare = (text ?? '').replace(/\s|\$|MXN|USD|EUR/g, '')
  if (/^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(bare)) return bare.replaceAll(',', '')
  if (/^-?[1-9]\d{0,2}((\.\d{3})+,\d*|(\.\d{3}){2,})$/.test(bare)) return bare.replaceAll('.', '').replace(',', '.')
  return /^-?\d+([.,]\d*)?$/.test(bare) ? bare.replace(',', '.') : undefined
}

/** Text of an amount for the service, or undefined for what is none. @param {string} text @returns {string | undefined} */
export function amount (text) {
  const number = plain(text)
  return number !== undefined && /^-?\d{1,16}(\.\d{0,2})?$/.test(number) ? number.replace(/\.$/, '') : undefined
}

/** An amount for people, such as `3,950,000.00`, or the text itself if it is none. @param {string} locale @param {any} text */
export function grouped (locale, text) {
  const number = amount(String(text ?? ''))
  return number === undefined ? text : new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(/** @type {any} */ (number))
}

/**
 * Reads a quantity, see {@link plain}.
 * @param {string | null | undefined} text
 * @returns {bigint | undefined} in units of 0.0001; undefined for anything else
 */
export function read (text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,14})(?:\.(\d{0,4}))?$/.exec(plain(text) ?? '') ?? []
  if (whole === undefined) return undefined
  return BigInt(`${sign}${whole}${fraction.padEnd(places, '0')}`)
}

/** The product of quantities, rounded to four places, halves away from zero. @param {bigint[]} factors */
export function product (factors) {
  if (factors.length === 0) return 0n
  const exact = factors.reduce((all, factor) => all * factor)
  const unit = one ** BigInt(factors.length - 1)
  const rounded = (2n * (exact < 0n ? -exact : exact) + unit) / (2n * unit)
  return exact < 0n ? -rounded : rounded
}

/** The sum of quantities in text. @param {Array<string | null | undefined>} texts */
export function sum (texts) {
  return texts.reduce((all, text) => all + (read(text) ?? 0n), 0n)
}

/** Text of a quantity for the service, such as `-1.5000`. @param {bigint} quantity */
export function print (quantity) {
  const digits = String(quantity < 0n ? -quantity : quantity).padStart(places + 1, '0')
  return `${quantity < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** Text of a quantity for people, such as `1,250.5`. @param {bigint} quantity */
export function show (quantity) {
  const [whole = '', fraction = ''] = print(quantity).split('.')
  const kept = fraction.replace(/0+$/, '')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept === '' ? '' : `.${kept}`}`
}
