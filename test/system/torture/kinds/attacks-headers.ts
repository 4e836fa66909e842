import { repeat } from './attack-requests.ts'
import type { Attack } from './neighbour-attack.ts'

/** Text of a header of many parts, near the 16 KiB that Node.js accepts. */
const manyParts = (part: string) => Array(Math.floor(15_000 / (part.length + 1))).fill(part).join()

/** Attacks with headers that are costly to parse, and with answers that are costly to compress. */
export const headerAttacks: readonly Attack[] = [
  {
    name: 'languages',
    about: 'Accept-Language of 7,500 parts to /health/live/ without a token, 4 connections',
    async run ({ origin }, ending) {
      const headers = { 'accept-language': manyParts('a') }
      return await repeat(origin, 4, ending, () => ({ path: '/health/live/', headers }))
    }
  },
  {
    name: 'accepts',
    about: 'Accept and Accept-Encoding of thousands of parts to pages of contracts, 4 connections',
    async run ({ origin, tokens: [token] }, ending) {
      const accepts: Array<Record<string, string>> = [{ accept: manyParts('*/*') }, { 'accept-encoding': manyParts('a;q=1') }]
      return await repeat(origin, 4, ending, index => ({ path: 'contracts/', token, headers: accepts[index % 2] }))
    }
  },
  {
    name: 'document',
    about: 'the compressed OpenAPI document without a token, 4 connections',
    run: async ({ origin }, ending) => await repeat(origin, 4, ending, () => ({ path: '/openapi.json', headers: { 'accept-encoding': 'gzip' } }))
  }
]
