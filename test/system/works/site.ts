import type { Test } from 'tap'
import { demoPassword } from '../../../src/domain/demo/data.ts'
import { call, tokensOf, type Answer } from '../../support/over-http.ts'
import { twoServers, type ListeningServers } from '../../support/two-servers.ts'

/** The users of the servers, in order: requests of both have different callers. */
const emails = ['director@demo.example', 'corporativo@demo.example']

/** An answer over HTTP, with the headers by name. */
export interface Reply extends Pick<Answer, 'status' | 'body'> {
  headers: Record<string, string>
}

/** A row of a catalogue: quantity, price, and whether it is a lump sum. */
type Row = [cantidad: string, precio: string, alzado?: boolean]
type OrderRow = [cantidad: string, precio: string, clave?: string]

type Asked = readonly [method: string, path: string, body?: object, headers?: Record<string, string>]

/**
 * A company at two servers, or twice at one, with one user each. All helpers except `send`, `atOnce` and `both` throw if a request fails.
 */
export interface Site extends Pick<ListeningServers, 'psql'> {
  /** Sends a request as the user of a server. */
  send: (server: number, ...request: Asked) => Promise<Reply>
  /** Sends two requests at once. In odd rounds the second one goes first, and to the first server. @returns the answers, in order */
  atOnce: (round: number, one: Asked, other: Asked) => Promise<[Reply, Reply]>
  /** Runs a sequence at both servers at once. @param work gets the number of the server */
  both: <T>(work: (server: number) => Promise<T>) => Promise<[T, T]>
  /** Creates a contract, which the next estimates have. @param monto without rows */
  contract: (rows: Row[], monto?: string) => Promise<{ id: number, concepts: number[], claves: string[] }>
  /** Creates an estimate of the last contract. @param content its amount, or the concept and quantity of its line */
  estimate: (server: number, content?: string | [concept: number, cantidad: string], estado?: 'enviada' | 'autorizada') => Promise<{ id: number }>
  /** Creates a change order in `autorizado`. @param content its amount, or quantity, price and code of its row */
  order: (contract: number, content: string | OrderRow) => Promise<{ id: number, row?: number }>
  /** The lines of an estimate, by id. */
  lines: (estimate: number) => Promise<Array<{ id: number }>>
}

/** Starts the servers. */
export async function site (t: Test): Promise<Site> {
  const { origins, psql } = await twoServers(t)
  const tokens = await Promise.all(emails.map(async email => (await tokensOf(origins[0], email, demoPassword)).access))
  const { body: { company } } = await call(origins[0], 'GET', 'me/', { token: tokens[0] })
  await call(origins[0], 'PATCH', 'me/', { token: tokens[1], body: { company } })
  let made = 0
  let current = 0

  const send: Site['send'] = async (server, method, path, body, headers = {}) => {
    const answer = await call(origins[server % origins.length], method, path, { token: tokens[server], body, headers })
    return { ...answer, headers: Object.fromEntries(answer.headers) }
  }
  const surely = async (server: number, ...request: Asked): Promise<any> => {
    const { status, body } = await send(server, ...request)
    if (status >= 300) throw new Error(`${request.join(' ')}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const both: Site['both'] = async work => await Promise.all([work(0), work(1)])
  const move = async (server: number, path: string, ...steps: object[]) => {
    for (const step of steps) await surely(server, 'PATCH', path, step)
  }

  return {
    psql,
    send,
    both,
    async atOnce (round, one, other) {
      if (round % 2 === 0) return await Promise.all([send(0, ...one), send(1, ...other)])
      const [second, first] = await Promise.all([send(0, ...other), send(1, ...one)])
      return [first, second]
    },
    async contract (rows, monto = '0.00') {
      const number = ++made
      const { id } = await surely(0, 'POST', 'contracts/', { folio: `RACE-${number}`, monto, iva_porcentaje: '0' })
      current = id
      const claves = rows.map((_, index) => `R-${index}`)
      const items = rows.map(([cantidad, precio, alzado = false], index) =>
        ({ contract: id, clave: claves[index], unidad: 'm3', cantidad, precio_unitario: precio, alzado }))
      const { results } = items.length === 0 ? { results: [] } : await surely(0, 'POST', 'conceptos/bulk/', { items })
      return { id, concepts: results.map(({ id }: { id: number }) => id), claves }
    },
    async estimate (server, content = '0.00', estado) {
      const isGiven = typeof content === 'string'
      const { id } = await surely(server, 'POST', 'estimates/', { contract: current, ...isGiven ? { monto: content } : {} })
      if (!isGiven) await surely(server, 'POST', 'generadores/', { estimate: id, concepto: content[0], cantidad: content[1] })
      if (estado !== undefined) await move(server, `estimates/${id}/`, { estado: 'enviada' })
      if (estado === 'autorizada') await move(server, `estimates/${id}/`, { estado })
      return { id }
    },
    async order (contract, content) {
      const isGiven = typeof content === 'string'
      const { id } = await surely(0, 'POST', 'convenios/', { contract, ...isGiven ? { monto: content } : {} })
      const rowOf = async ([cantidad, precio, clave = 'X-1']: OrderRow): Promise<{ row: number }> => {
        const body = { contract, convenio: id, clave, unidad: 'm3', cantidad, precio_unitario: precio }
        return { row: (await surely(0, 'POST', 'conceptos/', body)).id }
      }
      const made = isGiven ? {} : await rowOf(content)
      await move(0, `convenios/${id}/`, { estado: 'enviado' }, { estado: 'autorizado', fecha_autorizacion: '2026-04-20' })
      return { id, ...made }
    },
    lines: async estimate => (await surely(0, 'GET', `generadores/?estimate=${estimate}&page_size=200&ordering=id`)).results
  }
}
