/** A request of a workload. */
export interface Call {
  method?: 'DELETE' | 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** A complete answer. */
export interface LoadAnswer {
  status: number
  headers: Headers
  bytes: Buffer
}

/** Sends one request. */
export async function send (server: string, { path, ...init }: Call): Promise<LoadAnswer> {
  const response = await fetch(server + path, { ...init, signal: AbortSignal.timeout(10_000) })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** Parses the JSON of an answer. */
export function jsonOf (answer: LoadAnswer): any {
  return JSON.parse(answer.bytes.toString())
}

/** Sends a request. @throws {Error} with the answer, if it is not 200 */
export async function get (server: string, call: Call): Promise<LoadAnswer> {
  const answer = await send(server, call)
  if (answer.status !== 200) throw new Error(`${call.path} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
  return answer
}

const atOnce = 32

/** Maps a list with limited concurrency. @returns the results, in the order of the list */
export async function each<T, R> (list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const items = list.entries()
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const [index, item] of items) results[index] = await work(item)
  }))
  return results
}
