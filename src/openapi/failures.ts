import { errorAnswers, sharedAnswers, type ErrorAnswerName } from '../http/error-answers.ts'
import type { ErrorAnswer } from '../http/error-answer.ts'
import { message, messages, type Language } from '../http/messages.ts'
import { headersOf } from './headers.ts'
import type { Schema } from './standard.ts'
import { mapNames, namesIn } from '../http/names.ts'

const languages = namesIn(messages)

/** An example per language. @param name prefix, for answers with several errors */
function inLanguages (make: (language: Language) => object, name?: string): Schema {
  return Object.fromEntries(languages.map(language => [name === undefined ? language : `${name}.${language}`, { value: make(language) }]))
}

/** An error answer as an OpenAPI response. */
function responseOf ({ status, description, causes, codes, schema = 'Problem', extra }: ErrorAnswer): Schema {
  const examples = causes.map((cause, index) => {
    const [code, key, values] = cause
    const body = (language: Language) => ({ detail: message(language, key, values), code, ...extra?.(language, cause) })
    return inLanguages(body, index === 0 ? undefined : code)
  })
  const isOne = new Set(causes.map(([code]) => code)).size === 1
  if (codes === undefined && !isOne) throw new Error(`the codes of this answer have no name: ${description}`)
  const code = codes === undefined ? { type: 'string', const: causes[0]?.[0] } : { $ref: `#/components/schemas/${codes}` }
  const withCode = { type: 'object', required: ['code'], properties: { code } }
  return {
    description,
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: `#/components/schemas/${schema}` }, withCode] },
        examples: Object.assign({}, ...examples)
      }
    }
  }
}

/** 400: the answer of every operation whose input is invalid. */
const invalid: Schema = {
  description: 'Validation error. `errors` lists the problems by field, `codes` their codes.',
  headers: headersOf(400),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ValidationError' },
      examples: inLanguages(language => ({
        detail: message(language, 'invalidInput'),
        errors: { folio: [message(language, 'required')], monto: [message(language, 'maxDecimalPlaces', { max_decimal_places: 2 })] },
        codes: { folio: ['required'], monto: ['max_decimal_places'] }
      }))
    }
  }
}

/** Name of an error answer of the document. */
export type FailureName = 'Invalid' | ErrorAnswerName

const named = (answers: Record<string, ErrorAnswer>): Schema =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, responseOf(answer)]))

/** Error answers as OpenAPI responses. */
export const failures: Record<FailureName, Schema> = {
  Invalid: invalid, ...mapNames(namesIn(errorAnswers), name => responseOf(errorAnswers[name]))
}

/** The error answers that are components of the document, by name. */
export const sharedFailures: Schema = { Invalid: invalid, ...named(sharedAnswers) }
