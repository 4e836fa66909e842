import { serviceContract } from './openapi/contract.ts'

/** A response over a real socket. */
export interface Answer {
  status: number
  headers: Headers
  body: any
}

/** Sends a request to a listening server; `path` is relative to `/api/v1/`. @throws {Error} if the response differs from the OpenAPI document */
export async function call (origin: string, method: string, path: string, { token, body, headers = {} }: { token?: string, body?: unknown, headers?: Record<string, string> } = {}): Promise<Answer> {
  const url = `/api/v1/${path}`
  const response = await fetch(origin + url, {
    method,
    headers: {
      ...body === undefined ? {} : { 'content-type': 'application/json' },
      ...token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...headers
    },
    body: body === undefined ? undefined : JSON.stringify(body)
  })
  const text = await response.text()
  const difference = (await serviceContract()).broken({ method, url, status: response.status, headers: Object.fromEntries(response.headers), body: text })
  if (difference !== undefined) throw new Error(difference)
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Logs in. @returns the pair of tokens */
export async function tokensOf (origin: string, email: string, password: string): Promise<{ access: string, refresh: string }> {
  const { status, body } = await call(origin, 'POST', 'api-token-auth/', { body: { email, password } })
  if (status !== 200) throw new Error(`${email} cannot log in: ${JSON.stringify(body)}`)
  return body
}
