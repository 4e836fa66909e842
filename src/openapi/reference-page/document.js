/*
 * What the page reads from the OpenAPI document.
 */

/** Guides by the group of operations: title and page. @type {Record<string, Array<[title: string, page: string]>>} */
export const guides = {
  tokens: [['Tutorial', 'tutorial.md'], ['TypeScript client', 'reference/client.md']],
  me: [['Access levels', 'reference/access.md']],
  contracts: [['Bill a contract', 'guides/bill-a-contract.md'], ['Use spreadsheets', 'guides/use-spreadsheets.md']],
  estimates: [['Bill a contract', 'guides/bill-a-contract.md'], ['Deliver an advance and settle', 'guides/deliver-and-settle.md']],
  contrapartes: [['Sync an ERP', 'guides/sync-an-erp.md'], ['Use spreadsheets', 'guides/use-spreadsheets.md']],
  conceptos: [['Bill a contract', 'guides/bill-a-contract.md'], ['Use spreadsheets', 'guides/use-spreadsheets.md']],
  convenios: [['Bill a contract', 'guides/bill-a-contract.md']],
  generadores: [['Bill a contract', 'guides/bill-a-contract.md'], ['Build an offline app', 'guides/build-an-offline-app.md']],
  movimientos: [['Retain, withhold and return', 'guides/retain-and-return.md']],
  pagos: [['Bill a contract', 'guides/bill-a-contract.md'], ['Deliver an advance and settle', 'guides/deliver-and-settle.md']],
  programa: [['Follow the progress', 'guides/follow-the-progress.md']],
  adjuntos: [['Send photos', 'guides/send-photos.md']],
  changes: [['Sync protocol', 'reference/sync.md'], ['Build an offline app', 'guides/build-an-offline-app.md']],
  bitacora: [['API', 'reference/api.md'], ['Build an offline app', 'guides/build-an-offline-app.md']],
  history: [['API', 'reference/api.md']],
  mutations: [['Sync protocol', 'reference/sync.md'], ['Build an offline app', 'guides/build-an-offline-app.md']],
  webhooks: [['Receive webhooks', 'guides/receive-webhooks.md']],
  customers: [['Manage users', 'guides/manage-users.md']],
  companies: [['Manage users', 'guides/manage-users.md']],
  users: [['Manage users', 'guides/manage-users.md']],
  memberships: [['Manage users', 'guides/manage-users.md'], ['Access levels', 'reference/access.md']],
  health: [['Operation', 'reference/operation.md']],
  documentation: [['API', 'reference/api.md']]
}

/** The OpenAPI document of the service. */
export class Description {
  /** @param {any} spec */
  constructor (spec) {
    this.spec = spec
    /** @type {any[]} operations with method, path and all parameters */
    this.operations = Object.entries(spec.paths).flatMap(([path, { parameters: common = [], ...item }]) => {
      return Object.entries(item).filter(([, operation]) => operation?.responses !== undefined).map(([method, operation]) => {
        const parameters = [...common, ...operation.parameters ?? []].map(parameter => this.inside(parameter))
        return { ...operation, method: method.toUpperCase(), path, parameters, tag: operation.tags?.[0] ?? '' }
      })
    })
  }

  /** What a reference names, or the value itself. */
  inside (value) {
    let found = value
    while (typeof found?.$ref === 'string') {
      found = found.$ref.slice(2).split('/').reduce((part, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.spec)
    }
    return found ?? {}
  }

  /** The schema of a value, with the properties of all its parts. A reference can have a description of its own. */
  merged (schema) {
    const { $ref, ...beside } = schema
    const { allOf, ...own } = { ...this.inside(schema), ...beside }
    if (allOf === undefined) return own
    const parts = [...allOf.map(part => this.merged(part)), own]
    const properties = Object.assign({}, ...parts.map(part => part.properties))
    const required = parts.flatMap(part => part.required ?? [])
    return { ...Object.assign({}, ...parts), ...Object.keys(properties).length > 0 && { properties }, required }
  }

  /** The type of a schema in words, such as `string (date) or null`. */
  typeOf (schema) {
    const own = this.merged(schema)
    const { type, format, items, nullable, anyOf, oneOf } = own
    if ('const' in own) return JSON.stringify(own.const)
    if (own.enum !== undefined) return own.enum.map(value => value === null ? 'null' : String(value)).join(' | ')
    const choices = anyOf ?? oneOf
    if (choices !== undefined) return [...new Set(choices.map(choice => this.typeOf(choice)))].join(' or ')
    const names = [type ?? []].flat().map(name => name === 'array' ? `array of ${this.typeOf(items ?? {})}` : name)
    const words = names.length === 0 ? 'any' : names.join(' or ')
    return `${words}${format === undefined ? '' : ` (${format})`}${nullable === true ? ' or null' : ''}`
  }

  /** The example of a media type, as text to edit. */
  exampleOf ({ example, examples, schema }) {
    const first = this.inside(Object.values(examples ?? {})[0])
    const value = example ?? first.value ?? this.merged(schema ?? {}).examples?.[0]
    return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  }
}
