import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { securityHeaders } from '../../../src/server/security-headers.ts'
import { describeService } from '../../../src/server/describe-service.ts'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { isDate, isEmail, isInstant, isUuid } from '../../../src/resources/validation/formats.ts'
import { faultOfCodes } from '../invalid.ts'
import type { Schema } from '../../../src/openapi/standard.ts'
import { insideOf } from './inside.ts'

/** The formats used in the document. */
export const formats = { date: isDate, 'date-time': isInstant, email: isEmail, uuid: isUuid, uri: (text: string) => URL.canParse(text) }

/** A response to check against the document. */
export interface Exchange {
  method: string
  /** Path and query of the request. */
  url: string
  status: number
  headers: Record<string, unknown>
  /** Undefined if unknown. */
  body?: string
}

/** Headers of the connection and the representation, allowed in every response. */
const transport = new Set(['connection', 'content-encoding', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'])

/** Headers for browsers, allowed in every response. */
const forBrowsers = new Set(Object.keys(securityHeaders({ PUBLIC_URL: 'https://obra.example.mx' })))

/** Statuses of responses outside operations: invalid host, no authentication, unknown path, method not allowed, service unavailable. */
const outside = new Set([400, 401, 404, 405, 406, 429, 500, 503])

/** Longer bodies, in characters, are not checked: they repeat the same items, and a deep tree would overflow the validator's stack. */
const longest = 100_000

interface Resolved {
  /** By name in lower case. */
  headers: Map<string, { required?: boolean, schema: { type?: string } }>
  schema: Schema | undefined
  /** Media types of the body. Only JSON is checked. */
  types: Set<string>
}

interface DescribedOperation {
  responses: Map<number, Resolved>
}

/** An OpenAPI document to check responses against. */
export class Contract {
  readonly #inside: (value: any) => any
  readonly #paths: Array<{ pattern: RegExp, parameters: number, operations: Map<string, DescribedOperation> }> = []
  readonly #validators = new Map<object, ValidateFunction>()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, formats })

  constructor (document: OpenApiDocument) {
    this.#inside = insideOf(document)
    this.#ajv.addSchema(document, 'document')
    for (const [path, item] of Object.entries<any>(document.paths ?? {})) {
      const operations = new Map(Object.entries<any>(item).map(([method, { responses }]) => [method.toUpperCase(), {
        responses: new Map(Object.entries(responses).map(([status, response]) => [Number(status), this.#resolved(response)]))
      }]))
      const pattern = new RegExp(`^${path.replace(/\/$/, '').replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}/?$`)
      this.#paths.push({ pattern, parameters: path.split('{').length, operations })
    }
    this.#paths.sort((a, b) => a.parameters - b.parameters)
  }

  /** Compares a response with the document. @returns the first difference, or undefined */
  broken ({ method, url, status, headers, body }: Exchange): string | undefined {
    const [path = '', query = ''] = url.split('?', 2)
    const operations = this.#paths.find(({ pattern }) => pattern.test(path))?.operations
    const operation = operations?.get(method === 'HEAD' ? 'GET' : method)
    if (operation === undefined) {
      const expected = outside.has(status) || (method === 'OPTIONS' && operations !== undefined && status === 204)
      return expected ? undefined : `${method} ${path} is not in the document and is answered with ${status}`
    }
    const response = operation.responses.get(status)
    if (response === undefined) return `${method} ${path}: ${status} is not in the document (${body})`
    const unknown = Object.keys(headers).filter(name => !transport.has(name) && !forBrowsers.has(name) && !name.startsWith('access-control-') && !response.headers.has(name))
    if (unknown.length > 0) return `${method} ${path}: ${status} with ${unknown.join(', ')}, which the document does not have`
    for (const [name, { required, schema }] of response.headers) {
      const value = headers[name]
      if (value === undefined ? required : !this.#validator(schema)(schema.type === 'integer' ? Number(value) : value)) return `${method} ${path}: ${status} with ${name}: ${value}, which the document has otherwise`
    }
    if (body === undefined || body.length > longest || method === 'HEAD') return undefined
    return this.#wrongBody(response, String(headers['content-type'] ?? 'application/json').split(';', 1)[0] as string, body, status === 200 && new URLSearchParams(query).has('fields')).map(wrong => `${method} ${path}: ${status} ${wrong} (${body.slice(0, 1000)})`)[0]
  }

  #wrongBody ({ schema, types }: Resolved, type: string, body: string, narrowed: boolean): string[] {
    if (body !== '' && types.size > 0 && !types.has(type)) return [`has the type ${type}`]
    if (type !== 'application/json') return []
    if (schema === undefined) return body === '' ? [] : ['has a body']
    if (body === '') return ['has no body']
    const [whole, part] = membersOf(schema)
    if (narrowed && part === undefined) return ['has some fields only, which the document does not describe']
    const validate = this.#validator(narrowed ? part ?? schema : whole)
    const value = JSON.parse(body)
    validate(value)
    const errors = validate.errors ?? []
    const fault = faultOfCodes(value)
    return [...errors.map(({ instancePath, message }) => `${instancePath} ${message}`), ...fault === undefined ? [] : [fault]]
  }

  #validator (schema: object): ValidateFunction {
    let validate = this.#validators.get(schema)
    if (validate === undefined) this.#validators.set(schema, validate = this.#ajv.compile(referring(schema)))
    return validate
  }

  #resolved (response: any): Resolved {
    const { headers = {}, content } = this.#inside(response)
    const described = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), this.#inside(header)] as const)
    return { headers: new Map(described), schema: content?.['application/json']?.schema, types: new Set(Object.keys(content ?? {})) }
  }
}

/** The schema of complete answers, and that of answers to requests with `fields`, if there is one. */
function membersOf (schema: Schema): [whole: Schema, part?: Schema] {
  const [whole, part] = schema['anyOf'] ?? []
  return part?.$ref?.includes('/Partial') === true ? [whole, part] : [schema]
}

/** A copy of the schema whose references name the document. */
export function referring (schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'))
}

let service: Promise<Contract> | undefined

/** The document of the service, created once per process. */
export async function serviceContract (): Promise<Contract> {
  return await (service ??= describeService().then(document => new Contract(document)))
}
