import type { User } from './data.ts'
import type { Call } from './http.ts'
import { pick } from './random.ts'
import type { LoadTarget } from './workload.ts'

const pages = [1, 2, 3, 4, 5]
const list = ({ headers }: User, page = 1): Call => ({ path: page === 1 ? '/api/v1/contracts/' : `/api/v1/contracts/?page=${page}`, headers })

/** Pages 1 to 5 of every user, as far as the company has them. */
export const everyPage = ({ data }: LoadTarget): Call[] => data.users.flatMap((user) => {
  const contracts = data.companies.get(user.company)?.contracts.length ?? 0
  return pages.filter(page => page === 1 || contracts > 20 * (page - 1)).map(page => list(user, page))
})

/** The path of the yardstick that sends bytes from memory. */
export const bytesPath = '/bytes'

/** The request of the hot list, which the serializing yardstick gets too: one user's first page. */
export const hotCall = ({ data }: LoadTarget): Call => list(data.users[0])

/** A POST of JSON. */
export const post = ({ headers }: User, path: string, body: unknown): Call =>
  ({ method: 'POST', path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })

let made = 0

/** A new contract with a unique folio. */
export function newContract ({ data, random }: LoadTarget, company: number) {
  return {
    folio: `BENCH-${++made}`,
    contraparte: pick(data.companies.get(company)?.parties ?? [], random),
    monto: `${100_000 + made}.50`,
    descripcion: 'Suministro y colocación de concreto premezclado',
    fecha_inicio: '2026-03-01'
  }
}

/** A unique change of a contract of the user's company. */
export function change ({ data, random }: LoadTarget, { headers, company }: User): Call {
  const id = pick(data.companies.get(company)?.contracts ?? [], random)
  return { method: 'PATCH', path: `/api/v1/contracts/${id}/`, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ monto: `${++made}.25` }) }
}

/** One user of each company. */
export const oneEach = ({ data }: LoadTarget): User[] => [...new Map(data.users.map(user => [user.company, user])).values()]
