import type { Random } from '../../test/support/trial/random.ts'

/** A company: contract number n, from 0, has the id `first + n` and the folio `<tag>-<n>`. */
export interface Company {
  size: number
  first: number
  tag: string
  random: Random
}

/** The path of a request, and whether it is timed. Requests that only lead to the next one are not. */
export interface TimedRequest {
  path: string
  timed: boolean
}

/** An answer with a page of records. */
export interface Page {
  count: number
  count_exact?: boolean
  next: string | null
  results: unknown[]
}

export const list = '/api/v1/contracts/'
export const pageSize = 20
export const pagesOf = ({ size }: Company) => Math.ceil(size / pageSize)

/** The number of a random contract among those with the most digits, which no other text contains. */
function someNumber (company: Company): number {
  const { size, tag, random } = company
  const least = 10 ** (String(size - 1).length - 1)
  const number = least + Math.floor(random() * (size - least))
  return tag.includes(String(number)) ? someNumber(company) : number
}

export const someId = ({ first, size, random }: Company) => first + Math.floor(random() * size)
export const folioOf = (company: Company, n: number) => `${company.tag}-${n}`

/** Requests that do not depend on the last answer. */
export const each = <C = Company>(path: (company: C) => string) => (company: C) => () => ({ path: path(company), timed: true })
/** The same list every time. */
export const always = (query: string) => each(() => list + query)
/** A list with a random contract's number in its query. */
export const numbered = (query: (n: number, company: Company) => string) => each(company => list + query(someNumber(company), company))

export const range = (from: number) => `${list}?monto_min=${from}.00&monto_max=${from + 5000}.00`

/** Follows `next` from a start page, for at most `steps` pages or until the last page, then starts again. */
export const following = (start: (company: Company) => string, steps = 20) => (company: Company) => {
  let taken = steps
  return (last: Page): TimedRequest => {
    if (taken === steps || last.next === null) {
      taken = 0
      return { path: start(company), timed: false }
    }
    taken++
    const { pathname, search } = new URL(last.next)
    return { path: pathname + search, timed: true }
  }
}
