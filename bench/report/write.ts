import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { lastKept, results } from '../kept.ts'
import { standalone } from './draw.ts'
import { drawGrowth } from './growth.ts'
import { drawLatency } from './latency.ts'
import { page, type Plots, type Results } from './page.ts'
import { drawPeers } from './peers.ts'
import { drawThroughput } from './throughput.ts'

/**
 * Writes `report.html` and `plots/*.svg` from the last run of each bench.
 * @param from the folder of the stored runs
 * @param to the folder for the report
 * @returns the path of the report
 */
export function writeReport (from = results, to = join(import.meta.dirname, '..'), at = new Date()): string {
  const found: Results = { workloads: lastKept('workloads', from), peers: lastKept('peers', from), growth: lastKept('growth', from) }
  const plots: Plots = {
    throughput: found.workloads && drawThroughput(found.workloads),
    latency: found.workloads && drawLatency(found.workloads),
    peers: found.peers && drawPeers(found.peers),
    growth: found.growth && drawGrowth(found.growth)
  }
  const folder = join(to, 'plots')
  // Removes plots of runs that no longer exist.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const plot of Object.values(plots)) if (plot !== undefined) writeFileSync(join(folder, `${plot.name}.svg`), standalone(plot))
  const file = join(to, 'report.html')
  writeFileSync(file, page(found, plots, at))
  return relative(process.cwd(), file)
}
