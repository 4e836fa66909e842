import { readData, renewed } from './data.ts'
import { makeDatabase, type Seeded } from './database.ts'
import type { Call } from './http.ts'
import { pick, randomFrom } from './random.ts'
import { startObra } from './start-obra.ts'
import type { Server } from './server.ts'
import type { LoadTarget } from './workload.ts'
import { workloads } from './workloads.ts'

/** Workloads of ten requests, as an assumption about users of a site app. */
const mixture = ['lists', 'lists', 'lists', 'lists', 'lists', 'detail', 'detail', 'detail', 'change', 'create']

/** A server, and a function that makes the next request of the mixed load. */
export interface MixedLoad extends AsyncDisposable {
  database: Seeded
  server: Server
  calls: () => Call
}

/** Starts a server on a small seeded database for a mixed load. */
export async function mixedLoad (name: string, embedded: boolean): Promise<MixedLoad> {
  const stack = new AsyncDisposableStack()
  try {
    const database = stack.use(await makeDatabase({ embedded }, name, { companies: 20, contracts: 20_000, users: 100 }))
    const server = stack.use(await startObra(database, { CUSTOMER_CONNECTIONS_PERCENT: '100' }))
    const data = await readData(server.url, database.tokens.map(token => renewed(token)))
    const calls = await mixedCalls({ server: server.url, data, random: randomFrom(6), perCompany: database.size.contracts / database.size.companies })
    return { database, server, calls, [Symbol.asyncDispose]: async () => await stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function mixedCalls (target: LoadTarget): Promise<() => Call> {
  const kinds = new Map(await Promise.all(workloads.filter(({ name }) => mixture.includes(name)).map(async (workload) => {
    const calls = await workload.calls(target)
    return [workload.name, typeof calls === 'function' ? calls : () => pick(calls, target.random)] as const
  })))
  return () => (kinds.get(pick(mixture, target.random)) as () => Call)()
}
