/*
 * The search in the operations and the headings of the guides. Its index of the OpenAPI document is made at the first search.
 */

/** Lower case without accents, so that `estimacion` finds `estimación`. */
function plain (text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function wordsOf (text) {
  return plain(text).split(/\s+/).filter(Boolean)
}

/** The fields of a schema at all depths, as name and text. @returns {Array<[place: string, text: string]>} */
function fieldsOf (description, schema, known) {
  const key = schema.$ref
  if (known.has(key)) return known.get(key)
  const found = []
  // A schema that contains itself finds this list.
  if (key !== undefined) known.set(key, found)
  const { properties = {}, items, anyOf = [], oneOf = [] } = description.merged(schema)
  for (const [name, part] of Object.entries(properties)) {
    const own = description.merged(part)
    found.push([`field ${name}`, plain(`${name} ${own.description ?? ''} ${(own.enum ?? []).join(' ')}`)])
    found.push(...fieldsOf(description, part, known))
  }
  for (const part of [...items === undefined ? [] : [items], ...anyOf, ...oneOf]) found.push(...fieldsOf(description, part, known))
  return found
}

/** What the form and the answers of an operation show, by place. */
function placesOf (description, { description: text = '', parameters, requestBody, responses }, known) {
  const successful = Object.entries(responses).filter(([status]) => status.startsWith('2')).map(([, response]) => response)
  const schemas = [requestBody ?? {}, ...successful]
    .flatMap(part => Object.values(description.inside(part).content ?? {})).flatMap(({ schema }) => schema ?? [])
  return [
    ['description', plain(text)],
    ...parameters.map(parameter => [`parameter ${parameter.name}`, plain(`${parameter.name} ${parameter.description ?? ''}`)]),
    ...schemas.flatMap(schema => fieldsOf(description, schema, known))
  ]
}

/** Finds guides and operations. */
export class Search {
  #entries
  #pages
  #description

  /** @param {import('./document.js').Description} description */
  constructor (description) {
    this.#description = description
  }

  #index () {
    const known = new Map()
    return this.#description.operations.map((operation) => {
      const { operationId, method, path, summary = '' } = operation
      const name = plain(`${method} ${path} ${summary} ${operationId}`)
      return { operation, name, places: placesOf(this.#description, operation, known) }
    })
  }

  /**
   * @param {string} text
   * @returns
   *   `named`: ids of operations with all words in address, name or id; `mentions`: others, with their places
   */
  operations (text) {
    this.#entries ??= this.#index()
    const words = wordsOf(text)
    const named = new Set()
    const mentions = []
    for (const { operation, name, places } of this.#entries) {
      const missing = words.filter(word => !name.includes(word))
      if (missing.length === 0) named.add(operation.operationId)
      else {
        const found = missing.map(word => places.find(([, content]) => content.includes(word))?.[0])
        if (!found.includes(undefined)) mentions.push({ operation, places: [...new Set(found)] })
      }
    }
    return { named, mentions }
  }

  /**
   * Guides with all words in the title, and headings with all words in title and heading.
   * @param {string} text @returns {Promise<Array<{ page: string, title: string, heading?: string }>>}
   */
  async guides (text) {
    this.#pages ??= fetch('headings.json').then(response => response.ok ? response.json() : [])
    const words = wordsOf(text)
    const hasAll = content => words.every(word => plain(content).includes(word))
    return (await this.#pages).flatMap(({ page, title, headings }) => {
      if (hasAll(title)) return [{ page, title }]
      return headings.filter(heading => hasAll(`${title} ${heading}`)).map(heading => ({ page, title, heading }))
    })
  }
}
