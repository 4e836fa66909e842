import type { Store } from 'obra/client/sync'

/** Creates contracts and sends them. @returns their ids */
export async function given (store: Store, ...bodies: Array<Record<string, unknown>>): Promise<[string, string]> {
  const created = []
  for (const body of bodies) created.push(await store.contracts.create(body as { folio: string }))
  await store.sync()
  return created.map(({ id }) => id) as [string, string]
}
