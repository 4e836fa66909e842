import type { Test } from 'tap'
import { messages } from '../../../../src/http/messages.ts'
import { invalid } from '../../../support/invalid.ts'
import { call, type Answer } from '../../../support/over-http.ts'
import { twoServers, type ListeningServers } from '../../../support/two-servers.ts'

/** The 409 of a sealed note. */
export const sealed = { detail: messages.en.sealed, code: 'conflict' }

/** Users of the demo company. Both can sign. */
const emails = { coordinador: 'coordinador@demo.example', director: 'director@demo.example' }

/** One of the users. */
export type Person = keyof typeof emails

/** A site log over sockets. All helpers except `send` throw if the request fails. */
export interface LogBook extends ListeningServers {
  /** Sends a request of the first user to one of the servers. */
  send: (method: string, path: string, body?: unknown, options?: { by?: Person, server?: number, headers?: Record<string, string> }) => Promise<Answer>
  /** @returns the id of a new contract */
  contract: (fields?: object) => Promise<number>
  /** @returns the note that a user creates */
  note: (contract: number, fields?: object, by?: Person) => Promise<Note>
  /** @returns the note that a user creates and signs */
  signed: (contract: number, fields?: object, by?: Person) => Promise<Note>
}

/** A note as an answer has it. */
export type Note = Record<string, any> & { id: number }

/** The body of a valid note. */
export const body = { asunto: 'Colado', texto: 'Se inicia el colado.', fecha: '2026-03-14' }

/** Starts servers on a fresh database. */
export async function logBook (t: Test): Promise<LogBook> {
  const servers = await twoServers(t)
  const { origins, as } = servers
  const tokens = { coordinador: (await as(emails.coordinador)).access, director: (await as(emails.director)).access }
  const send: LogBook['send'] = async (method, path, body, { by = 'coordinador', server = 0, headers = {} } = {}) =>
    await call(origins[server % origins.length] as string, method, path, { token: tokens[by], body, headers: { 'accept-language': 'en', ...headers } })
  const made = async (method: string, path: string, body: object, by?: Person): Promise<Note> => {
    const { status, body: answer } = await send(method, path, body, { by })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  let contracts = 0
  const note: LogBook['note'] = async (contract, fields, by) => await made('POST', 'bitacora/', { contract, ...body, ...fields }, by)
  return {
    ...servers,
    send,
    contract: async fields => (await made('POST', 'contracts/', { folio: `B-${++contracts}`, ...fields })).id,
    note,
    signed: async (contract, fields, by) => await made('PATCH', `bitacora/${(await note(contract, fields, by)).id}/`, { estado: 'firmada' }, by)
  }
}

/** Asserts that an answer is a 400 with this message. */
export function assertRefused (t: Pick<Test, 'strictSame'>, { status, body }: Answer, field: string, key: keyof typeof messages.en, what = 'is refused'): void {
  t.strictSame([status, body], [400, invalid({ [field]: [messages.en[key]] })], what)
}
