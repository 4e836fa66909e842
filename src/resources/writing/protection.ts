import type { Row } from '../../database/connection/sql.ts'
import { httpError } from '../../http/errors.ts'
import type { Language, Texts } from '../../http/messages.ts'
import type { Link } from '../declaration/link.ts'
import type { Resource } from '../declaration/resource.ts'
import { closedProblem } from './writable.ts'

/** How a language says what prevents a delete. A noun phrase has its article: `a contract`, `una contraparte`. */
interface Grammar {
  record: (noun: string) => string
  has: (parts: string) => string
  uses: (records: string, count: number, noun: string) => string
  or: (next: string) => string
}

const grammars: Record<Language, Grammar> = {
  en: {
    record: noun => noun.replace(/^an? /, 'This '),
    has: parts => `it has ${parts}`,
    uses: (records, count) => `${records} use it (${count})`,
    or: () => 'or'
  },
  es: {
    record: noun => noun.replace(/^una /, 'Esta ').replace(/^un /, 'Este '),
    has: parts => `tenga ${parts}`,
    uses: (records, count, noun) => `haya ${records} que ${noun.startsWith('una ') ? 'la' : 'lo'} usen (${count})`,
    or: next => /^h?[oó]/.test(next) ? 'u' : 'o'
  }
}

/** @param row of `dependentsQuery` @throws {HttpError} 409 if the record cannot be deleted: with the resource's own message, or `protected` with the numbers */
export function refuseRemoval (resource: Resource, row: Row): void {
  const { kept, called, dependents } = resource
  const [closed] = closedProblem(row['closed'])
  if (closed !== undefined) throw httpError(409, { key: closed.key })
  const counted = dependents.map((link, index): Link & { count: number } => ({ ...link, count: row[`count_${index}`] })).filter(({ count }) => count > 0)
  if (counted.length === 0) {
    if (kept !== undefined && row['kept'] === true) throw httpError(409, { code: 'conflict', key: kept.key })
    return
  }
  const inEach = (text: (language: Language) => string): Texts => ({ en: text('en'), es: text('es') })
  throw httpError(409, {
    code: 'protected',
    key: 'protectedRecord',
    values: {
      record: inEach(language => grammars[language].record(called[language])),
      dependents: inEach(language => clauses(language, called[language], counted))
    }
  })
}

/** The kinds of dependents with their numbers: `it has subcontracts (2) or estimates (1)`. */
function clauses (language: Language, noun: string, counted: Array<Link & { count: number }>): string {
  const { has, uses, or } = grammars[language]
  const list = (texts: string[]) => texts.reduceRight((rest, text, index) => `${text}${index === texts.length - 2 ? ` ${or(rest)} ` : ', '}${rest}`)
  const parts = counted.filter(({ isPart }) => isPart).map(({ called, count }) => `${called[language]} (${count})`)
  const users = counted.filter(({ isPart }) => !isPart).map(({ called, count }) => uses(called[language], count, noun))
  return list([...parts.length === 0 ? [] : [has(list(parts))], ...users])
}
