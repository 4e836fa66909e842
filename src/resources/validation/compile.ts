import { Ajv, type ErrorObject } from 'ajv'
import { addKeywords } from './keywords.ts'
import { converterOf } from './lenient.ts'

/** Validates a value, collects all errors in `errors`, and converts the value to its canonical form. */
export interface Validator {
  (value: unknown): boolean
  errors?: ErrorObject[] | null
}

// One for the process: it caches compiled schemas, which are the same for every server.
const ajv = addKeywords(new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false })).addVocabulary(['references'])

/** Compiles the validator of a body or query. */
export function compile (schema: object): Validator {
  const check = ajv.compile(schema)
  const adapt = converterOf(schema)
  const validator: Validator = (value) => {
    adapt?.(value)
    const isRight = check(value)
    validator.errors = check.errors
    return isRight
  }
  return validator
}
