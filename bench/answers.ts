import assert from 'node:assert/strict'
import type { Data, User } from './data.ts'
import { each, jsonOf, send, type Call } from './http.ts'
import { pick, randomFrom } from './random.ts'

/** An answer in a form in which those of two services can be compared. */
export interface Comparable {
  status: number
  /** Of an answer that is not an error: what services say about errors is their own. */
  body?: unknown
}

/** Asks a service the whole sample: what reads, then, in order, what writes. */
export async function askAll (server: string, { reads, writes }: Sample): Promise<Comparable[]> {
  const answers = await each(reads, async call => comparableOf(server, call, await send(server, call)))
  for (const call of writes) answers.push(comparableOf(server, call, await send(server, call)))
  return answers
}

/** Whether two services have answered the sample alike. @throws {Error} with the first call that they have not, and the difference */
export function compare (service: string, sample: Sample, answers: Comparable[], expected: Comparable[]): void {
  for (const [index, { method = 'GET', path, body = '' }] of [...sample.reads, ...sample.writes].entries()) {
    try {
      assert.deepEqual(answers[index], expected[index])
    } catch (error) {
      throw new Error(`${service} answers ${method} ${path} ${body} in another way (+), not as expected (-)\n${(error as Error).message}`)
    }
  }
}

function comparableOf (server: string, { method }: Call, answer: Awaited<ReturnType<typeof send>>): Comparable {
  if (answer.status >= 300) return { status: answer.status }
  const body = jsonOf(answer)
  return { status: answer.status, body: method === 'POST' ? created(body) : page(body, server) }
}

/**
 * A page without what depends on the server: its address, and the cursor that `next` of Obra carries beside the number of the page. What
 * is no page stays as it is.
 */
export function page (body: Record<string, unknown>, server: string): Record<string, unknown> {
  const link = (value: unknown) => {
    if (typeof value !== 'string') return value
    const url = new URL(value)
    url.searchParams.delete('cursor')
    return url.href.replace(server, '')
  }
  return 'results' in body ? { ...body, next: link(body['next']), previous: link(body['previous']) } : body
}

/** A new record without its id and instants, of which the form stays. */
export function created (body: Record<string, unknown>): Record<string, unknown> {
  const form = (value: unknown) => typeof value === 'string' ? value.replace(/\d/g, '0') : value
  return { ...body, id: typeof body['id'], created_at: form(body['created_at']), updated_at: form(body['updated_at']) }
}

/** What every service is asked before it is measured. */
export interface Sample {
  reads: Call[]
  writes: Call[]
}

const sampled = { users: 25, records: 100 }

/** Pages, records and creates of users of the seeded companies, and what must be refused to them. */
export function sampleOf ({ users, companies }: Data): Sample {
  const random = randomFrom(1)
  const some = Array.from({ length: sampled.users }, () => pick(users, random))
  const of = ({ company }: User) => companies.get(company) ?? { contracts: [], parties: [] }
  const get = ({ headers }: Pick<User, 'headers'>, path: string): Call => ({ path: `/api/v1/contracts/${path}`, headers })
  const post = ({ headers }: User, body: object): Call => ({ method: 'POST', path: '/api/v1/contracts/', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })

  const one = some[0] as User
  const stranger = users.find(({ company }) => company !== one.company) as User
  const contract = of(one).contracts[0] as number
  const party = of(one).parties[0] as number
  const last = Math.ceil(of(one).contracts.length / 20)
  const forged = { headers: { authorization: `${one.headers.authorization.slice(0, -3)}abc` } }
  return {
    reads: [
      ...some.flatMap(user => ['', '?page=2', '?page=3'].map(query => get(user, query))),
      ...[last, last + 1].map(number => get(one, `?page=${number}`)),
      ...Array.from({ length: sampled.records }, () => pick(users, random)).map(user => get(user, `${pick(of(user).contracts, random)}/`)),
      get(stranger, `${contract}/`),
      get(forged, ''),
      get(forged, `${contract}/`)
    ],
    writes: [
      post(one, { folio: 'SAMPLE-1', contraparte: party, monto: '100000.50', descripcion: 'Colocación de concreto', fecha_inicio: '2026-03-01' }),
      post(one, { folio: 'SAMPLE-2' }),
      post(one, {
        folio: 'SAMPLE-3',
        contraparte: null,
        monto: '9999999999999999.99',
        parent: contract,
        descripcion: '',
        moneda: 'USD',
        fecha_inicio: '2026-03-01',
        fecha_fin: '2026-12-31',
        anticipo_porcentaje: '30.00',
        retencion_porcentaje: '5.25',
        iva_porcentaje: '100.00',
        estado: 'suspendido',
        external_id: 'erp-3'
      }),
      post(one, { folio: 'SAMPLE-1' }),
      post(one, { folio: 'SAMPLE-4', monto: '-1.00' }),
      post(one, {}),
      post(stranger, { folio: 'SAMPLE-5', parent: contract }),
      post(stranger, { folio: 'SAMPLE-5', contraparte: party }),
      get(one, `${contract}/`),
      get(one, '')
    ]
  }
}
