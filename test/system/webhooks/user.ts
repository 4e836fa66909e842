import { demoPassword } from '../../../src/domain/demo/data.ts'
import type { Random } from '../../support/trial/random.ts'
import { tokensOf } from '../../support/over-http.ts'
import { Client, exchangeOver } from '../kernel/client.ts'
import { Report } from '../kernel/report.ts'

/** Longest time in ms until a request must be answered, also while the only server starts on a slow machine. */
const patience = 150_000

/** A user of one company, who sends requests to any of the servers. */
export interface User {
  company: number
  token: string
  client: Client
}

/** Logs in, and selects a company. @param name of the company */
export async function userOf (origins: string[], email: string, name: string, random: Random): Promise<User> {
  const { access: token } = await tokensOf(origins[0], email, demoPassword)
  const client = new Client({ exchange: exchangeOver(origins, random), token, report: new Report(true), random, patience, abandoned: new AbortController().signal })
  const { companies } = (await client.surely('GET', 'me/', { codes: [200] })).answer.body
  const { id: company } = companies.find(({ nombre }: { nombre: string }) => nombre === name)
  const { body } = (await client.surely('PATCH', 'me/', { body: { company }, codes: [200] })).answer
  if (body.company !== company) throw new Error(`${email} cannot switch to company ${company}: ${JSON.stringify(body)}`)
  return { company, token, client }
}
