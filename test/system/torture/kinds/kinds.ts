import { attacks } from './attacks.ts'
import { buckets } from './bucket.ts'
import { failovers } from './failover.ts'
import { fileTrials } from './files.ts'
import { freshness } from './freshness.ts'
import { histories } from './histories.ts'
import { injections } from './injections.ts'
import { kills } from './kills.ts'
import type { Options } from './options.ts'
import { neighbours } from './neighbours.ts'
import { outages } from './outages.ts'
import { sieges } from './siege.ts'
import { soaks } from './soak.ts'
import { syncs } from './syncs.ts'
import type { AddRow } from '../../kernel/table.ts'
import { upgrades } from './upgrade.ts'
import { webhookTrials } from './webhooks.ts'

/** Options of a kind. */
export interface RunOptions extends Options {
  /** URL of a PostgreSQL, as superuser; undefined if there is none. */
  postgres?: string
}

/** One kind of stress on a server. */
export interface Kind {
  /** Its name for `--only`. */
  name: string
  /** Its description for `--help`. */
  about: string
  /** Runs it. Adds a row for each part, also for one that cannot run here. */
  run: (options: RunOptions, addRow: AddRow) => Promise<void>
}

/** All kinds, in the order in which they run. */
export const kinds: readonly Kind[] = [kills, outages, freshness, histories, syncs, fileTrials, buckets, webhookTrials, failovers, upgrades, sieges, soaks, neighbours, attacks, injections]
