import { randomUUID } from 'node:crypto'
import { repeat } from './attack-requests.ts'
import type { Attack } from './neighbour-attack.ts'

const unknownFields = (index: number) => Object.fromEntries(Array.from({ length: 60 }, (_, field) => [`f${index}-${field}`, 1]))
const list = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index))

/** Attacks with bodies that are refused. */
export const inputAttacks: readonly Attack[] = [
  {
    name: 'unknown-fields',
    about: 'bulks of 1,000 items with 60 unknown fields each, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = JSON.stringify({ items: list(1000, unknownFields) })
      return await repeat(origin, 2, ending, () => ({ path: 'contracts/bulk/', token, body }))
    }
  },
  {
    name: 'long-texts',
    about: 'bulks of 15 MB of texts that are too long, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const body = JSON.stringify({ items: list(1000, () => ({ folio: 'x'.repeat(15_000) })) })
      return await repeat(origin, 2, ending, () => ({ path: 'contracts/bulk/', token, body }))
    }
  },
  {
    name: 'refused-mutations',
    about: '200 mutations with 60 unknown fields each, 2 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const mutations = list(200, index => ({ id: index + 1, op: 'create', resource: 'contracts', body: unknownFields(index) }))
      return await repeat(origin, 2, ending, () => ({ path: 'mutations/', token, body: JSON.stringify({ device: randomUUID(), mutations }) }))
    }
  }
]
