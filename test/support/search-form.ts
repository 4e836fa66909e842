const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' }

/** The searched form of a text: without case, accents, compatibility forms and dots, and with initials joined. Equals `search_term` of migration 32. */
export function searchForm (text: string): string {
  const plain = [...text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')].map(letter => letter.toLowerCase()).join('')
  const folded = [...plain].map(letter => letters[letter] ?? letter).join('')
  return folded.replace(/(?<![a-z0-9])([a-z])\. (?=[a-z]\.)/g, '$1').replaceAll('.', '')
}
