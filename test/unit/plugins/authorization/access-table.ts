import { registered } from '../../../../src/domain/resources.ts'

/** The owner of the requested records. The caller is a user of `own customer`, and `own company` is active. */
export type Whose = 'everybody' | 'own company' | 'other company' | 'own customer' | typeof higher | 'other customer'

export const higher = 'own, of a higher level'

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

/** The statuses of a write for each caller, with that of a permitted one: from level 2, or from level 3. */
const edited = (status: number) => `403  403 ${status} ${status}  ${status} 403 ${status}`
const decided = (status: number) => `403  403 403 ${status}  ${status} 403 ${status}`

/** The rows of a resource of business data. @param write those of POST, PUT and PATCH @param remove those of DELETE */
function business (name: string, write = edited, remove = decided): AccessRow[] {
  return [
    row(`GET ${name}/`, 'own company', '403  200 200 200  200 200 200'),
    ...['', 'bulk/'].flatMap(path => [
      row(`POST ${name}/${path}`, 'own company', write(201)),
      row(`POST ${name}/${path}`, 'other company', write(400)),
      row(`POST ${name}/${path}`, 'other customer', write(400))
    ]),
    row(`GET ${name}/:id/`, 'own company', '403  200 200 200  200 200 200'),
    row(`GET ${name}/:id/`, 'other company', '403  404 404 404  404 404 404'),
    row(`GET ${name}/:id/`, 'other customer', '403  404 404 404  404 404 404'),
    ...(['PUT', 'PATCH'] as const).flatMap(method => [
      row(`${method} ${name}/:id/`, 'own company', write(200)),
      row(`${method} ${name}/:id/`, 'other company', write(404)),
      row(`${method} ${name}/:id/`, 'other customer', write(404))
    ]),
    row(`DELETE ${name}/:id/`, 'own company', remove(204)),
    row(`DELETE ${name}/:id/`, 'other company', remove(404)),
    row(`DELETE ${name}/:id/`, 'other customer', remove(404))
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

/** The resources whose records are lines of another record, or drafts. A delete of them needs only the level of an edit. */
const removedByEditors = new Set(['conceptos', 'generadores', 'movimientos', 'programa', 'adjuntos', 'bitacora'])

/** Every route that is not public, by owner of the records, with the status for each caller. */
export const accessTable: AccessRow[] = [
  ...registered.flatMap(({ name }) => business(name, name === 'pagos' ? decided : edited, removedByEditors.has(name) ? edited : decided)),
  ...below('contracts/:id/tree/'),
  ...below('contracts/:id/ancestors/'),
  ...below('contracts/:id/estado-de-cuenta/'),
  ...below('contracts/:id/avance/'),
  ...below('estimates/:id/conceptos/'),
  ...below('estimates/:id/caratula/'),
  ...below('adjuntos/:id/contenido/'),
  row('PATCH adjuntos/:id/contenido/', 'own company', edited(204)),
  row('PATCH adjuntos/:id/contenido/', 'other company', edited(404)),
  row('PATCH adjuntos/:id/contenido/', 'other customer', edited(404)),
  row('POST adjuntos/:id/contenido/', 'own company', edited(201)),
  row('POST adjuntos/:id/contenido/', 'other company', edited(404)),
  row('POST adjuntos/:id/contenido/', 'other customer', edited(404)),
  row('PUT adjuntos/:id/contenido/', 'own company', edited(200)),
  row('PUT adjuntos/:id/contenido/', 'other company', edited(404)),
  row('PUT adjuntos/:id/contenido/', 'other customer', edited(404)),
  ...['autorizada', 'rechazada', 'pagada'].flatMap(to => [
    row(`PATCH estimates/:id/ ${to}`, 'own company', '403  403 403 200  200 403 200'),
    row(`PATCH estimates/:id/ ${to}`, 'other company', '403  403 403 404  404 403 404'),
    row(`PATCH estimates/:id/ ${to}`, 'other customer', '403  403 403 404  404 403 404')
  ]),
  ...['autorizado', 'rechazado', 'firmado'].flatMap(to => [
    row(`PATCH convenios/:id/ ${to}`, 'own company', '403  403 403 200  200 403 200'),
    row(`PATCH convenios/:id/ ${to}`, 'other company', '403  403 403 404  404 403 404'),
    row(`PATCH convenios/:id/ ${to}`, 'other customer', '403  403 403 404  404 403 404')
  ]),

  row('GET changes/', 'own company', '403  200 200 200  200 200 200'),
  row('GET history/', 'own company', '403  200 200 200  200 200 200'),
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
