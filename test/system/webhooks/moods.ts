import { pick, type Random } from '../../support/trial/random.ts'
import { acceptingFates, failingFates, type Fate } from './fates.ts'
import type { Hit } from './hit.ts'

/** How a receiver behaves: accepts all, fails now and then, fails always, asks for a repetition at once, or answers 410. */
export type Mood = 'well' | 'flaky' | 'failing' | 'busy' | 'gone'

/** Chooses what a receiver does with a request. @param flakiness share of the requests that a flaky receiver does not accept */
export function fateOf ({ items, isFrozen }: Hit, mood: Mood, flakiness: number, random: Random): Fate {
  // A ping has no changes.
  if (items.length === 0 || isFrozen) return 'no content'
  if (mood === 'gone') return 'gone'
  if (mood === 'busy') return 'unavailable'
  const fails = mood === 'failing' || (mood === 'flaky' && random() < flakiness)
  if (!fails) return mood === 'well' && random() < 0.7 ? 'no content' : pick(acceptingFates, random)
  const fate = pick(failingFates, random)
  // A hanging request takes 15 s.
  return fate === 'hang' && random() < 0.7 ? 'reset' : fate
}
