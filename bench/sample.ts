import type { Data, User } from '../test/support/trial/data.ts'
import type { Call } from '../test/support/trial/http.ts'
import { pick, randomFrom } from '../test/support/trial/random.ts'

/** A call and the expected status. */
export interface Question {
  call: Call
  status: number
}

/** Requests for the comparison of services before the measurement. */
export interface Sample {
  /** In any order. */
  reads: Question[]
  /** After the reads, in this order. */
  writes: Question[]
}

const sampled = { users: 25, records: 100 }
const pageSize = 20

/** Pages, records and creates of users of the seeded companies, and requests that must be refused. */
export function sampleOf ({ users, companies }: Data): Sample {
  const random = randomFrom(1)
  const anybody = () => pick(users, random)
  const of = ({ company }: User) => companies.get(company) ?? { contracts: [], parties: [] }
  const get = (status: number, { headers }: Pick<User, 'headers'>, path: string): Question =>
    ({ call: { path: `/api/v1/contracts/${path}`, headers }, status })
  const post = (status: number, user: User, body: object): Question => {
    const headers = { ...user.headers, 'content-type': 'application/json' }
    return { call: { method: 'POST', path: '/api/v1/contracts/', headers, body: JSON.stringify(body) }, status }
  }

  const one = anybody()
  const stranger = users.find(({ company }) => company !== one.company) as User
  const forger = { headers: { authorization: `${one.headers.authorization.slice(0, -3)}abc` } }
  const { contracts: [contract], parties: [party], contracts: { length: count } } = of(one)
  const last = Math.ceil(count / pageSize)
  return {
    reads: [
      ...Array.from({ length: sampled.users }, anybody).flatMap(user => ['', '?page=2', '?page=3'].map(query => get(200, user, query))),
      get(200, one, `?page=${last}`),
      get(404, one, `?page=${last + 1}`),
      ...Array.from({ length: sampled.records }, anybody).map(user => get(200, user, `${pick(of(user).contracts, random)}/`)),
      get(200, one, `${contract}/`),
      get(404, stranger, `${contract}/`),
      get(401, forger, ''),
      get(401, forger, `${contract}/`)
    ],
    writes: [
      post(201, one, {
        folio: 'SAMPLE-1', contraparte: party, monto: '100000.50', descripcion: 'Colocación de concreto', fecha_inicio: '2026-03-01'
      }),
      post(201, one, { folio: 'SAMPLE-2' }),
      post(201, one, {
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
      post(400, one, { folio: 'SAMPLE-1' }),
      post(400, one, { folio: 'SAMPLE-4', monto: '-1.00' }),
      post(400, one, { folio: 'SAMPLE-4', fecha_inicio: '2026-03-02', fecha_fin: '2026-03-01' }),
      post(400, one, {}),
      post(400, stranger, { folio: 'SAMPLE-5', parent: contract }),
      post(400, stranger, { folio: 'SAMPLE-5', contraparte: party }),
      // The first page again, whose count has changed, and the parent again, whose sums have.
      get(200, one, ''),
      get(200, one, `${contract}/`)
    ]
  }
}
