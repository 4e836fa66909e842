const letters: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ł: 'l', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ς: 'σ' }

/** Quotation marks, apostrophes, primes and acute signs. */
const quotes = /["'`«»\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u0384\u1fbd\u1fbf\u1ffd\u1ffe\u2018-\u201f\u2032-\u203a\u2057\uff02\uff07\uff40]/g

/**
 * The searched form of a text: without case, accents, compatibility forms, quotation marks, invisible characters and dots, and with initials
 * and single letters joined. Equals `search_term` of migration 64.
 */
export function searchForm (text: string): string {
  const marked = text.normalize('NFD').replace(/[\u0300-\u036f]/g, '').replace(/[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu, '').replace(quotes, '')
  const plain = [...marked.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')].map(letter => letter.toLowerCase()).join('')
  const folded = [...plain.replace(quotes, '')].map(letter => /[‐‑‒–—―−]/.test(letter) ? '-' : letters[letter] ?? letter).join('')
  const initials = folded.replace(/(?<![a-z0-9])([a-z])\. (?=[a-z]\.)/g, '$1').replaceAll('.', '')
  return initials.replace(/(?<![a-z0-9])([a-z]) (?=[a-z](?![a-z0-9]))/g, '$1')
}
