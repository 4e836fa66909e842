import { attacks } from './attacks.ts'
import { histories } from './histories.ts'
import { injections } from './injections.ts'
import { kills } from './kills.ts'
import type { Options } from './options.ts'
import { neighbours } from './neighbours.ts'
import { outages } from './outages.ts'
import { sieges } from './siege.ts'
import { soaks } from './soak.ts'
import type { Tell } from './table.ts'

/** What a kind is run on besides what was asked for. */
export interface Surroundings extends Options {
  /** Address of a PostgreSQL, as a superuser of it; undefined where there is none. */
  postgres?: string
}

/** One way to ill-treat a server. */
export interface Kind {
  /** What `--only` names it by. */
  name: string
  /** For `--help`. */
  about: string
  /** Does it, and tells a row for each part, also for one that cannot be run here. */
  run: (options: Surroundings, tell: Tell) => Promise<void>
}

/** All of them, in the order in which they are run. */
export const kinds: readonly Kind[] = [kills, outages, histories, sieges, soaks, neighbours, attacks, injections]
