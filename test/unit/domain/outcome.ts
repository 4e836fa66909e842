/** The outcome of a request: its status and, for 400, the invalid fields. */
export interface Outcome { status: number, wrong: string[] }

export function accepted (status: number): Outcome {
  return { status, wrong: [] }
}

/** The 409 of a state that forbids the request. */
export const conflict: Outcome = { status: 409, wrong: [] }

/** The 400 for these fields. */
export function invalid (wrong: Iterable<string>): Outcome {
  return { status: 400, wrong: [...new Set(wrong)].sort() }
}
