import writtenNumber from 'written-number'
import type { Language } from '../../../http/messages.ts'

/** The largest amount that has words: up to the billions of English. */
const most = 1e12

const currencies: Record<Language, Record<string, { one: string, many: string, code: string }>> = {
  es: {
    MXN: { one: 'peso', many: 'pesos', code: 'M.N.' },
    USD: { one: 'dólar', many: 'dólares', code: 'USD' },
    EUR: { one: 'euro', many: 'euros', code: 'EUR' }
  },
  en: {
    MXN: { one: 'peso', many: 'pesos', code: 'MXN' },
    USD: { one: 'dollar', many: 'dollars', code: 'USD' },
    EUR: { one: 'euro', many: 'euros', code: 'EUR' }
  }
}

/** Spanish number words before a noun: `uno` is shorter, and whole millions take `de`. */
function beforeNoun (words: string): string {
  const short = words.replaceAll('veintiuno', 'veintiún').replaceAll(/\buno\b/g, 'un')
  return /mill(?:ón|ones)$/.test(short) ? `${short} de` : short
}

/**
 * An amount in words, as documents to sign have it: `UN MIL PESOS 50/100 M.N.`
 * @param amount a decimal with two places @param currency ISO 4217 code
 * @returns undefined for amounts from 10¹² on
 */
export function amountInWords (amount: string, currency: string, language: Language): string | undefined {
  const [, sign, units = '0', cents] = /^(-?)(\d+)\.(\d\d)$/.exec(amount) ?? []
  const number = Number(units)
  const noun = currencies[language][currency]
  if (number >= most || noun === undefined || cents === undefined) return undefined
  const words = writtenNumber(number, { lang: language, noAnd: true })
  const minus = sign === '-' ? language === 'es' ? 'menos ' : 'minus ' : ''
  const count = language === 'es' ? beforeNoun(words) : words
  return `${minus}${count} ${number === 1 ? noun.one : noun.many} ${cents}/100 ${noun.code}`.toUpperCase()
}
