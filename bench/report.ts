import { writeReport } from './report/write.ts'

/** Writes the report from the last stored run of each bench. */
process.stdout.write(`written to ${writeReport()}\n`)
