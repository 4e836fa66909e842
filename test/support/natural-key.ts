/** Sort key of a text, compared by UTF-8 bytes: numbers count as numbers, and a path sorts before texts that continue it. Equals `natural_key` of migration 64. */
export function naturalKey (text: string): string {
  const key = text.replaceAll('/', '\u0001').replace(/[0-9]+/g, (digits) => {
    const number = digits.replace(/^0+/, '')
    return String(number.length).padStart(3, '0') + number
  })
  return Buffer.from(key).toString('hex')
}
