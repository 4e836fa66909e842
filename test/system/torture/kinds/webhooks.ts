import { pick, randomFrom } from '../../../support/trial/random.ts'
import { onBoth, repeated } from '../../kernel/places.ts'
import { trial, type Event } from '../../webhooks/trial.ts'
import type { Kind } from './kinds.ts'

/** Size of a trial: webhooks per company, events, and the mean number of deliveries between them. */
const size = { webhooks: 6, events: 8, deliveries: 150 }

const shared: Event[] = ['kill', 'kill', 'long kill', 'restart', 'freeze', 'outage']
const embedded: Event[] = ['kill', 'restart']

/** Trials of webhooks whose receivers, servers and databases fail. */
export const webhookTrials: Kind = {
  name: 'webhooks',
  about: 'deliveries to receivers that fail in every way, while servers are killed and the database fails, each compared with the change log',
  async run ({ webhooks: times, seed, postgres }, addRow) {
    await onBoth('delivering webhooks', postgres, addRow, async (what, onNew) => await repeated(what, times, seed, async seed => await onNew(async (place) => {
      const random = randomFrom(seed)
      const events = Array.from({ length: size.events }, () => pick('DATABASE_URL' in place.env ? shared : embedded, random))
      return await trial(place, { seed, events, webhooks: size.webhooks, deliveries: size.deliveries })
    })))
  }
}
