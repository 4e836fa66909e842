import { compile } from '../../../../src/resources/validation/compile.ts'
import { parseExactJson } from '../../../../src/resources/validation/exact-json.ts'
import { problemsOf } from '../../../../src/resources/validation/problems.ts'
import type { Problem } from '../../../../src/http/errors.ts'

/** What became of a field's value: its one form, or why it was refused. */
export interface Outcome {
  value?: unknown
  problems: Problem[]
}

/** A validator of `{"field": …}` bodies, given as JSON text, the field's schema being this. */
export function fieldOf (schema: object): (json: string) => Outcome {
  const validate = compile({ type: 'object', properties: { field: schema } })
  return (json) => {
    const body = parseExactJson(`{"field":${json}}`) as { field: unknown }
    return validate(body) ? { value: body.field, problems: [] } : { problems: problemsOf(validate.errors ?? []) }
  }
}
