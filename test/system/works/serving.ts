import type { Test } from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { startServer, type Place } from '../../support/process.ts'

/** Starts a server that the test kills. @returns it, and requests of a Director, which are undefined if the server has ended */
export async function serving (t: Test, place: Place) {
  const server = await startServer(t, place)
  const caller: Record<string, string> = {}
  const send = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<Response | undefined> => {
    const headers = { 'content-type': type, ...caller }
    return await fetch(`${server.origin}/api/v1/${path}`, { method, headers, body: body ?? null }).catch(() => undefined)
  }
  const json = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await send(method, path, body === undefined ? undefined : JSON.stringify(body))
    return await answer?.json().catch(() => undefined)
  }
  caller['authorization'] = `Bearer ${(await json('POST', 'api-token-auth/', { email: 'director@demo.example', password: demoPassword })).access}`
  return { ...server, send, json }
}
