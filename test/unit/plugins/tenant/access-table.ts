import { registered } from '../../../../src/domain/resources.ts'

/** The owner of the requested records. The caller is a user of `own customer`, and `own company` is active. */
export type Whose = 'everybody' | 'own company' | 'other company' | 'own customer' | typeof higher | 'other customer'

const higher = 'own, of a higher level'

/** The status of a request for each caller. */
export interface AccessRow {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v1/`, with `:id` for a record of that owner. */
  path: string
  /** The state that the request sets, if that requires another level than an edit. */
  to?: string
  whose: Whose
  /** One per column of {@link callers}. */
  statuses: number[]
}

/** The columns: a user without a level, then the six levels. Each is a demo account. */
export const callers = {
  none: 'sincompania@demo.example',
  '1 Auxiliar': 'auxiliar@demo.example',
  '2 Coordinador': 'coordinador@demo.example',
  '3 Director': 'director@demo.example',
  '4 Corporativo': 'corporativo@demo.example',
  '5 Soporte': 'soporte@demo.example',
  '6 Superusuario': 'superusuario@demo.example'
}

function row (request: string, whose: Whose, statuses: string): AccessRow {
  const [method, path, to] = request.split(' ') as [AccessRow['method'], string, string?]
  return { method, path, to, whose, statuses: statuses.split(/\s+/).map(Number) }
}

/** The rows of a resource of business data. All of them have the same rights. */
function business (name: string): AccessRow[] {
  return [
    row(`GET ${name}/`, 'own company', '403  200 200 200  200 200 200'),
    row(`POST ${name}/`, 'own company', '403  403 201 201  201 403 201'),
    row(`POST ${name}/`, 'other company', '403  403 400 400  400 403 400'),
    row(`POST ${name}/`, 'other customer', '403  403 400 400  400 403 400'),
    row(`POST ${name}/bulk/`, 'own company', '403  403 201 201  201 403 201'),
    row(`POST ${name}/bulk/`, 'other company', '403  403 400 400  400 403 400'),
    row(`POST ${name}/bulk/`, 'other customer', '403  403 400 400  400 403 400'),
    row(`GET ${name}/:id/`, 'own company', '403  200 200 200  200 200 200'),
    row(`GET ${name}/:id/`, 'other company', '403  404 404 404  404 404 404'),
    row(`GET ${name}/:id/`, 'other customer', '403  404 404 404  404 404 404'),
    ...(['PUT', 'PATCH'] as const).flatMap(method => [
      row(`${method} ${name}/:id/`, 'own company', '403  403 200 200  200 403 200'),
      row(`${method} ${name}/:id/`, 'other company', '403  403 404 404  404 403 404'),
      row(`${method} ${name}/:id/`, 'other customer', '403  403 404 404  404 403 404')
    ]),
    row(`DELETE ${name}/:id/`, 'own company', '403  403 403 204  204 403 204'),
    row(`DELETE ${name}/:id/`, 'other company', '403  403 403 404  404 403 404'),
    row(`DELETE ${name}/:id/`, 'other customer', '403  403 403 404  404 403 404')
  ]
}

/** The rows of a read-only path below a record of business data. */
function below (path: string): AccessRow[] {
  return [
    row(`GET ${path}`, 'own company', '403  200 200 200  200 200 200'),
    row(`GET ${path}`, 'other company', '403  404 404 404  404 404 404'),
    row(`GET ${path}`, 'other customer', '403  404 404 404  404 404 404')
  ]
}

/** The rows of a request for the webhooks of the active company. @param status of a permitted request */
function webhook (request: string, status: number): AccessRow[] {
  const statuses = (allowed: number) => `403  403 403 ${allowed}  ${allowed} 403 ${allowed}`
  const others = request.includes(':id') ? 404 : request.startsWith('POST') ? 400 : undefined
  return [
    row(request, 'own company', statuses(status)),
    ...(['other company', 'other customer'] as const).flatMap(whose => others === undefined ? [] : [row(request, whose, statuses(others))])
  ]
}

/** The rows of a resource of a customer's accounts, except DELETE. */
function accounts (name: string): AccessRow[] {
  return [
    row(`GET ${name}/`, 'own customer', '403  403 403 403  200 200 200'),
    row(`POST ${name}/`, 'own customer', '403  403 403 403  201 403 201'),
    row(`POST ${name}/`, 'other customer', '403  403 403 403  400 403 201'),
    row(`GET ${name}/:id/`, 'own customer', '403  403 403 403  200 200 200'),
    row(`GET ${name}/:id/`, 'other customer', '403  403 403 403  404 200 200'),
    ...(['PUT', 'PATCH'] as const).flatMap(method => [
      row(`${method} ${name}/:id/`, 'own customer', '403  403 403 403  200 403 200'),
      row(`${method} ${name}/:id/`, 'other customer', '403  403 403 403  404 403 200')
    ])
  ]
}

/** Every route that is not public, by owner of the records, with the status for each caller. */
export const accessTable: AccessRow[] = [
  ...registered.flatMap(({ name }) => business(name)),
  ...below('contracts/:id/tree/'),
  ...below('contracts/:id/ancestors/'),
  ...['autorizada', 'rechazada', 'pagada'].flatMap(to => [
    row(`PATCH estimates/:id/ ${to}`, 'own company', '403  403 403 200  200 403 200'),
    row(`PATCH estimates/:id/ ${to}`, 'other company', '403  403 403 404  404 403 404'),
    row(`PATCH estimates/:id/ ${to}`, 'other customer', '403  403 403 404  404 403 404')
  ]),

  row('GET changes/', 'own company', '403  200 200 200  200 200 200'),
  // Each mutation has its own status, by the level that it needs.
  row('POST mutations/', 'own company', '403  200 200 200  200 200 200'),

  ...webhook('GET webhooks/', 200),
  ...webhook('POST webhooks/', 201),
  ...webhook('GET webhooks/:id/', 200),
  ...webhook('PUT webhooks/:id/', 200),
  ...webhook('PATCH webhooks/:id/', 200),
  ...webhook('DELETE webhooks/:id/', 204),
  ...webhook('GET webhooks/:id/deliveries/', 200),
  ...webhook('POST webhooks/:id/rotate/', 200),
  ...webhook('POST webhooks/:id/test/', 200),
  ...webhook('POST webhooks/:id/replay/', 202),
  ...webhook('POST webhooks/:id/skip/', 202),

  row('GET customers/', 'everybody', '403  403 403 403  403 200 200'),
  row('POST customers/', 'everybody', '403  403 403 403  403 403 201'),
  ...(['own customer', 'other customer'] as const).flatMap(whose => [
    row('GET customers/:id/', whose, '403  403 403 403  403 200 200'),
    row('PUT customers/:id/', whose, '403  403 403 403  403 403 200'),
    row('PATCH customers/:id/', whose, '403  403 403 403  403 403 200'),
    row('DELETE customers/:id/', whose, '405  405 405 405  405 405 405')
  ]),

  ...accounts('companies'),
  row('DELETE companies/:id/', 'own customer', '405  405 405 405  405 405 405'),
  row('DELETE companies/:id/', 'other customer', '405  405 405 405  405 405 405'),

  ...accounts('users'),
  row('GET users/:id/', higher, '403  403 403 403  200 200 200'),
  row('PUT users/:id/', higher, '403  403 403 403  403 403 200'),
  row('PATCH users/:id/', higher, '403  403 403 403  403 403 200'),
  row('DELETE users/:id/', higher, '403  403 403 403  403 403 204'),
  row('DELETE users/:id/', 'own customer', '403  403 403 403  204 403 204'),
  row('DELETE users/:id/', 'other customer', '403  403 403 403  404 403 204'),

  ...accounts('memberships'),
  row('DELETE memberships/:id/', 'own customer', '403  403 403 403  204 403 204'),
  row('DELETE memberships/:id/', 'other customer', '403  403 403 403  404 403 204'),

  row('GET me/', 'everybody', '200  200 200 200  200 200 200'),
  row('PATCH me/', 'everybody', '200  200 200 200  200 200 200'),
  row('POST me/password/', 'everybody', '204  204 204 204  204 204 204')
]

/** The table of docs/reference/access.md: requests by the levels that may send them. Run directly, this file prints it. */
export function accessDocument (): string {
  const byRequest = Map.groupBy(accessTable, ({ method, path, to, whose }) => `${method} ${nameOf(path, to, whose)}`)
  const requests = [...byRequest.values()].map((rows) => {
    const [{ method, path, to, whose }] = rows as [AccessRow]
    const [own, other] = [rows.filter(isOwn), rows.filter(row => !isOwn(row))]
    return { method, name: nameOf(path, to, whose), levels: `${levelsOf(own)} | ${levelsOf(other)}` }
  })
  const byLevels = Map.groupBy(requests, ({ name, levels }) => `${name} | ${levels}`)
  const paths = [...byLevels.values()].map((same) => {
    const [{ name, levels }] = same as [typeof requests[number]]
    return { name, rest: `${same.map(({ method }) => method).join(', ')} | ${levels}` }
  })
  const lines = [...Map.groupBy(paths, ({ rest }) => rest)].map(([rest, same]) => `| ${same.map(({ name }) => name).join(', ')} | ${rest} |`)
  return ['| Path | Methods | Own records | Other records |', '|---|---|---|---|', ...lines].join('\n')
}

function nameOf (path: string, to: string | undefined, whose: Whose): string {
  return `\`${path}\`${to === undefined ? '' : ` to \`${to}\``}${whose === higher ? ' of a higher level' : ''}`
}

/** Whether the record belongs to the caller's company or customer. */
function isOwn ({ whose }: AccessRow): boolean {
  return !whose.startsWith('other')
}

/** The levels that succeed in every row, as `2–4, 6`; an empty text for no rows. */
function levelsOf (rows: AccessRow[]): string {
  if (rows.length === 0) return ''
  if (rows.every(({ statuses }) => statuses.every(status => status === 405))) return '405'
  const succeeds = (column: number) => rows.every(({ statuses }) => (statuses[column] as number) < 300)
  if (succeeds(0)) return 'all users'
  const levels = [1, 2, 3, 4, 5, 6].filter(succeeds)
  const first = levels.filter(level => !levels.includes(level - 1))
  const ranges = first.map((start) => {
    const end = levels.find(level => level >= start && !levels.includes(level + 1)) as number
    return end === start ? `${start}` : `${start}–${end}`
  })
  return ranges.length === 0 ? 'none' : ranges.join(', ')
}

if (import.meta.main) process.stdout.write(`${accessDocument()}\n`)
