import { randomFrom } from '../../support/trial/random.ts'
import { Endpoint, type Settings } from './endpoint.ts'
import { makeBase, type Base } from './marks.ts'
import type { Servers } from './servers.ts'
import { userOf, type User } from './user.ts'

/** The users of a trial with the records that marks change, and their webhooks. */
export interface Cast {
  bases: Map<User, Base>
  endpoints: Endpoint[]
}

/** Users of three companies of two customers. */
const staff: Array<[email: string, company: string]> = [['corporativo@demo.example', 'Obra Norte'], ['director@demo.example', 'Obra Sur'], ['director@otra.example', 'Otra Uno']]

const settings: Settings[] = [
  { batch: 1 },
  { batch: 3, events: ['contracts.updated', 'estimates.updated', 'contrapartes.updated'] },
  { batch: 1, events: ['contracts.created', 'contrapartes.created'] },
  { batch: 100 },
  { batch: 3 },
  { batch: 100, events: ['contracts.created', 'contracts.deleted', 'contrapartes.deleted', 'estimates.deleted'] },
  { batch: 3, events: ['contracts.created', 'contracts.updated'] },
  { batch: 1, events: ['contracts.deleted', 'contracts.updated', 'contrapartes.updated'] }
]

/** Logs in the users of a trial. @param webhooks per company, not created yet */
export async function castOf (servers: Servers, seed: number, webhooks: number): Promise<Cast> {
  const users = await Promise.all(staff.map(async ([email, name], number) => await userOf(servers.site.origins, email, name, randomFrom(seed + 20 + number))))
  const bases = new Map(await Promise.all(users.map(async (user): Promise<[User, Base]> => [user, await makeBase(user)])))
  const endpoints = Array.from({ length: webhooks * users.length }, (_, number) =>
    new Endpoint(number, users[number % users.length], settings[(number + seed) % settings.length], randomFrom(seed + 100 + number)))
  return { bases, endpoints }
}
