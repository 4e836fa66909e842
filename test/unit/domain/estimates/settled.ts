import { messages } from '../../../../src/http/messages.ts'

/** The messages of a field about a settled contract, and about a finiquito that waits. */
export const settled = [messages.en.contractSettled]
export const waits = [messages.en.finiquitoExists]
