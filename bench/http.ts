/** A request as workloads declare it. */
export interface Call {
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  headers: Record<string, string>
  body?: string
}

/** An answer, whole. */
export interface Answer {
  status: number
  headers: Headers
  bytes: Buffer
}

/** Sends one request. */
export async function send (server: string, { path, ...init }: Call): Promise<Answer> {
  const response = await fetch(server + path, { ...init, signal: AbortSignal.timeout(10_000) })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** The answer's JSON. */
export function jsonOf (answer: Answer): any {
  return JSON.parse(answer.bytes.toString())
}

/** Sends one request that must be answered by 200. @throws {Error} with what came instead */
export async function get (server: string, call: Call): Promise<Answer> {
  const answer = await send(server, call)
  if (answer.status !== 200) throw new Error(`${call.path} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
  return answer
}

const atOnce = 32

/** Does the same with each of a list, some at once. @returns the results, in the order of the list */
export async function each<T, R> (list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const items = list.entries()
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (const [index, item] of items) results[index] = await work(item)
  }))
  return results
}
