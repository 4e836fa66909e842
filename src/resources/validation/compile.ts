import { Ajv } from 'ajv'
import { converterOf, withConversion, type Validator } from './convert.ts'
import { addKeywords } from './keywords.ts'

// One per process, because it caches compiled schemas, which are the same for all servers.
const ajv = addKeywords(new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, strictTypes: false }))
  .addVocabulary(['references', 'sliced', 'isId', 'sentBack'])

/** Compiles the validator of a body or query. */
export function compile (schema: object): Validator {
  return withConversion(ajv.compile(schema), converterOf(schema))
}
