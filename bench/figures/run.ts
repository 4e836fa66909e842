import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../../test/support/trial/percentile.ts'

/** Figures by name and unit: `{ authorization: { 'p99 ms': 24.1 } }`. */
export type Figures = Record<string, Record<string, number>>

/** A run of a bench. */
export interface Run {
  bench: string
  /** The day in UTC. */
  date: string
  commit?: string
  command: string
  /** The machine in words. */
  machine: string
  /** Kind and size of the database. */
  database: string
  /** Sentences about the run. */
  note?: string
  figures: Figures
}

/** The file of the runs that the pages show. */
export const runsFile = join(import.meta.dirname, '../figures.json')

/** The runs that the pages show. */
export function readRuns (): Run[] {
  return JSON.parse(readFileSync(runsFile, 'utf8'))
}

/** All values of each figure, by name and unit. */
export type Values = Map<string, Map<string, number[]>>

/** Collects the values of the runs of a bench. */
export function valuesOf (runs: Run[], bench: string): Values {
  const values: Values = new Map()
  for (const { figures } of runs.filter(run => run.bench === bench)) {
    for (const [name, units] of Object.entries(figures)) {
      const ours = values.get(name) ?? new Map<string, number[]>()
      for (const [unit, value] of Object.entries(units)) ours.set(unit, [...ours.get(unit) ?? [], value])
      values.set(name, ours)
    }
  }
  return values
}

/** The median of a figure; undefined if no run has it. */
export function middle (values: Values, name: string, unit: string): number | undefined {
  const all = values.get(name)?.get(unit)
  return all && median(all)
}
