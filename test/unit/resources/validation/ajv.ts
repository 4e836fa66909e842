import { compile } from '../../../../src/resources/validation/compile.ts'
import { parseExactJson } from '../../../../src/resources/validation/exact-json.ts'
import { problemsOf } from '../../../../src/resources/validation/problems.ts'
import type { Problem } from '../../../../src/http/errors.ts'

/** The canonical value of a field, or its problems. */
export interface Outcome {
  value?: unknown
  problems: Problem[]
}

/** Makes a validator of bodies `{"field": …}`. @param schema schema of the field @returns validates a value, given as JSON text */
export function fieldOf (schema: object): (json: string) => Outcome {
  const validate = compile({ type: 'object', properties: { field: schema } })
  return (json) => {
    const body = parseExactJson(`{"field":${json}}`) as { field: unknown }
    return validate(body) ? { value: body.field, problems: [] } : { problems: problemsOf(validate.errors ?? []) }
  }
}
