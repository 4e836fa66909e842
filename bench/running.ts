import { jsonOf, send } from '../test/support/trial/http.ts'
import type { Server } from '../test/support/trial/server.ts'

/**
 * A server that is already running. The bench does not know its process, so it cannot measure memory and CPU.
 * @throws {Error} if the URL is invalid
 */
export function runningServer (url: string): Server {
  if (!/^https?:/.test(url) || !URL.canParse(url)) throw new Error(`--against needs a URL such as http://127.0.0.1:3000, not ${url}`)
  return { url: new URL(url).origin, usage: () => ({ memory: NaN, cpu: NaN }), output: () => '', async [Symbol.asyncDispose] () {} }
}

/** Logs in with each email and the same password. @returns access tokens @throws {Error} with the answer, if a log-in is refused */
export async function logInAll (server: string, emails: string[], password: string): Promise<string[]> {
  return await Promise.all(emails.map(async (email) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password })
    const answer = await send(server, { method: 'POST', path: '/api/v1/api-token-auth/', headers, body })
      .catch((cause: Error) => { throw new Error(`${server} does not answer`, { cause }) })
    if (answer.status !== 200) throw new Error(`${email} cannot log in: ${answer.status} ${answer.bytes.toString().slice(0, 300)}`)
    return jsonOf(answer).access
  }))
}
