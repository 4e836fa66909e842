import type { FastifyInstance } from 'fastify'

/** Collects the lines of a server's log from now on, parsed. */
export function logOf (app: FastifyInstance): Array<Record<string, any>> {
  const lines: Array<Record<string, any>> = []
  const symbol = Object.getOwnPropertySymbols(app.log).find(({ description }) => description === 'pino.stream') as symbol
  Object.assign(app.log, { [symbol]: { write: (line: string) => lines.push(JSON.parse(line)) } })
  return lines
}
