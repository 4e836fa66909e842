import type { Language, MessageKey, MessageValues } from './messages.ts'

/** Code and message of an error answer. */
export type Cause = [code: string, key: MessageKey, values?: MessageValues]

/** An error answer of routes. */
export interface ErrorAnswer {
  status: number
  description: string
  /** Codes and messages that it can have. Each is an example of the document. */
  causes: readonly Cause[]
  /** Name of the schema of its codes, if it has several. */
  codes?: string
  /** Name of the schema of its body. Default: `Problem`. */
  schema?: 'BulkProblem' | 'Problem' | 'ResyncProblem' | 'TokenProblem'
  /** Fields of an example beside `detail` and `code`. */
  extra?: (language: Language, cause: Cause) => object
}
