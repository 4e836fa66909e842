import type { Row } from '../../../src/database/connection/sql.ts'
import { brokenRules, type Psql } from './integrity.ts'
import type { Expected, Writer } from './writer.ts'

/** The failures of a trial: unexpected answers, lost, changed, extra or duplicate records, and broken rules of the database. */
export async function losses (writers: Writer[], psql: Psql, marker: string): Promise<string[]> {
  const contracts = await psql('select id, folio, monto from contracts where folio like $1', [`${marker}%`])
  const estimates = await psql('select id, contract_id as contract, numero, descripcion, estado from estimates where descripcion like $1', [`${marker}%`])
  return [
    ...writers.flatMap(({ wrong }) => wrong),
    ...differences('contract', gathered(writers, 'contracts'), contracts),
    ...differences('estimate', gathered(writers, 'estimates'), estimates),
    ...await brokenRules(psql)
  ]
}

function gathered<K extends keyof Expected> (writers: Writer[], kind: K): Map<number, Row> {
  return new Map(writers.flatMap(({ expected }) => [...expected[kind] as Map<number, Row>]))
}

function differences (kind: string, expected: Map<number, Row>, rows: Row[]): string[] {
  const found = new Map(rows.map(row => [row['id'] as number, row]))
  const lost = [...expected].flatMap(([id, wanted]) => {
    const row = found.get(id)
    if (row === undefined) return [`${kind} ${id} was acknowledged but is lost: ${JSON.stringify(wanted)}`]
    const other = Object.keys(wanted).filter(field => row[field] !== wanted[field])
    return other.length === 0 ? [] : [`${kind} ${id} differs from the acknowledged write: ${JSON.stringify(row)} in place of ${JSON.stringify(wanted)}`]
  })
  const extra = rows.filter(({ id }) => !expected.has(id)).map(row => `${kind} ${row['id']} exists but was never acknowledged, or exists twice: ${JSON.stringify(row)}`)
  return [...lost, ...extra]
}
