import { limits } from '../config/limits.ts'
import { nonFieldErrors, type Problem } from '../http/errors.ts'
import { usualFormats } from '../http/list-formats.ts'

/** Maximum parameters of a query, more than any route has. */
export const maxParameters = limits.queries.parameters

/** Whether a query has so many parameters that parsing them would take milliseconds. */
export function hasTooManyParameters (query: string): boolean {
  let count = 0
  for (let at = query.indexOf('&'); at !== -1; at = query.indexOf('&', at + 1)) if (++count === maxParameters) return true
  return false
}

/** Maximum problems of one target. Each one costs an exception of `decodeURIComponent`, and a URL can have thousands. */
const maxProblems = 20

/**
 * Problems of a target as received: percent-encoding that is malformed or not of UTF-8, by parameter, and a format that the route does
 * not have. Also a format beside `format=json`, which `normalizeTarget` removes, so that the schema does not see that there are two.
 * After {@link maxProblems}, one that says that there are more.
 * @param formats of the route
 */
export function targetProblems (received: string, formats: readonly string[] = usualFormats): Problem[] {
  const [path = '', ...rest] = received.split('#', 1)[0]?.split('?') ?? []
  const query = rest.join('?')
  if (hasTooManyParameters(query)) return [{ field: nonFieldErrors, key: 'tooManyParameters', values: { count: maxParameters } }]
  const isApi = /^[^?]*\/api\//.test(path)
  if (isDecodable(path) && isDecodable(query) && !(isApi && query.includes('format='))) return []
  const problems = encodingProblems(nonFieldErrors, path)
  const asked = isApi ? new URLSearchParams(query).getAll('format') : []
  const isRepeated = asked.length > 1 && asked.some(format => format !== 'json')
  if (isRepeated) problems.push({ field: 'format', key: 'repeatedParameter' })
  for (const part of query.split('&')) {
    const found = parameterProblems(part, isApi && !isRepeated ? formats : undefined)
    if (found.length > 0 && problems.length >= maxProblems) return [...problems, { field: nonFieldErrors, key: 'moreProblems' }]
    problems.push(...found)
  }
  return problems
}

/** @param formats the choices of `format`. Undefined if the value does not matter */
function parameterProblems (part: string, formats: readonly string[] | undefined): Problem[] {
  const [name = '', ...values] = part.split('=')
  const value = values.join('=')
  const field = isDecodable(name) ? decodeURIComponent(name) : name
  if (formats !== undefined && field === 'format' && isDecodable(value) && !formats.includes(decodeURIComponent(value))) {
    return [{ field, key: 'invalidChoiceOf', values: { input: decodeURIComponent(value), choices: formats } }]
  }
  return encodingProblems(field, part)
}

function encodingProblems (field: string, text: string): Problem[] {
  if (isDecodable(text)) return []
  return [{ field, key: /%(?![\da-f]{2})/i.test(text) ? 'percentEncoding' : 'notUtf8' }]
}

/** Whether the percent-encoding of a text is valid, and of UTF-8. */
export function isDecodable (text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
