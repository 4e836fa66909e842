import pg from 'pg'

/** Counts the statements of this process. Only for files with a process of their own, `*.alone.test.ts`. */
export const statements = { count: 0 }

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...values: unknown[]) {
  statements.count++
  return Reflect.apply(query, this, values)
} as typeof query
