/**
 * Sort key of a name, without accents and case, compared by UTF-8 bytes; equals `sort_text` of migration 15.
 * @returns lower-case hexadecimal digits
 */
export function nameKey (name: string): string {
  const plain = [...name.normalize('NFD').replace(/[\u0300-\u036f]/g, '')].map(letter => letter.toLowerCase()).join('')
  return Buffer.from(plain.replaceAll('ς', 'σ')).toString('hex')
}
