import type { Row } from '../../database/connection/sql.ts'

/** Runs a statement as the owner of the tables. */
export type Query = (text: string) => Promise<Row[]>
