/*
 * The fields of a schema. Those of an object in it are made when it is opened.
 */
import { element } from './element.js'
import { inline } from './markdown.js'

/** @param {import('./document.js').Description} description @param {any} schema @param {string} title @returns {HTMLElement} */
export function schemaView (description, schema, title) {
  const name = element('code', {}, nameOf(schema) ?? description.typeOf(schema))
  const view = element('details', { className: 'schema' }, element('summary', {}, `${title}: `, name))
  view.addEventListener('toggle', () => view.append(fieldsOf(description, schema)), { once: true })
  return view
}

function nameOf (schema) {
  return schema.$ref?.split('/').at(-1)
}

/** The part of a schema that has fields, or undefined. */
function objectIn (description, schema) {
  const own = description.merged(schema)
  if (own.properties !== undefined) return schema
  if (own.items !== undefined) return objectIn(description, own.items)
  return [...own.anyOf ?? [], ...own.oneOf ?? []].find(choice => objectIn(description, choice) !== undefined)
}

function fieldsOf (description, schema) {
  const within = objectIn(description, schema)
  if (within === undefined) return element('p', { innerHTML: inline(description.merged(schema).description ?? ''), className: 'text' })
  const { properties = {}, required = [] } = description.merged(within)
  return element('ul', {}, ...Object.entries(properties).map(([name, part]) => {
    const own = description.merged(part)
    const notes = [...required.includes(name) ? ['required'] : [], ...own.readOnly === true ? ['read-only'] : []]
    return element('li', {}, element('code', {}, name), ' ',
      element('small', {}, [description.typeOf(part), ...notes].join(', ')),
      element('span', { innerHTML: own.description === undefined ? '' : `. ${inline(own.description)}` }),
      ...objectIn(description, part) === undefined ? [] : [schemaView(description, part, 'Fields')])
  }))
}
