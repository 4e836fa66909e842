import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { post } from '../test/support/trial/calls.ts'
import type { User } from '../test/support/trial/data.ts'
import { get, jsonOf, send, type Call } from '../test/support/trial/http.ts'
import type { Server } from '../test/support/trial/server.ts'

/** Requests of a user to a server. */
export class Caller {
  readonly #server: Pick<Server, 'url'>
  readonly #user: User

  constructor (server: Pick<Server, 'url'>, user: User) {
    this.#server = server
    this.#user = user
  }

  /** @throws {Error} with an answer that is not 200 */
  async get (path: string, headers: Record<string, string> = {}): Promise<any> {
    return jsonOf(await get(this.#server.url, { path: `/api/v1/${path}`, headers: { ...this.#user.headers, ...headers } }))
  }

  /** @throws {Error} with an answer that is not a success */
  async post (path: string, body: unknown): Promise<any> {
    return await this.#write(post(this.#user, `/api/v1/${path}`, body))
  }

  /** @throws {Error} with an answer that is not a success */
  async patch (path: string, body: unknown): Promise<any> {
    return await this.#write({ ...post(this.#user, `/api/v1/${path}`, body), method: 'PATCH' })
  }

  async #write (call: Call): Promise<any> {
    const answer = await send(this.#server.url, call)
    if (answer.status >= 300) throw new Error(`${call.path} was answered by ${answer.status}: ${answer.bytes.toString().slice(0, 300)}`)
    return jsonOf(answer)
  }

  /** A cursor at the end of the feed. */
  async end (): Promise<string> {
    let page = await this.get('changes/?page_size=1000')
    while (page.has_more) page = await this.get(`changes/?page_size=1000&cursor=${page.cursor}`)
    return page.cursor
  }

  /** Opens a connection and sends a GET. @param headers of any case, as they are sent */
  async open (path: string, headers: Record<string, string>): Promise<Socket> {
    const { hostname, port } = new URL(this.#server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = { Host: 'obra.example', Authorization: this.#user.headers.authorization, ...headers }
    socket.write(`GET /api/v1/${path} HTTP/1.1\r\n${Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    return socket
  }
}
