import { writeReport } from './report/write.ts'

/** Writes the report anew, without a run: from the last results that each bench has left. */
process.stdout.write(`written to ${writeReport()}\n`)
