/*
 * The reference page: the operations of the OpenAPI document, and forms that send their requests with the log-in of the page. Only the
 * names of operations are made at the start, everything else when it is opened.
 */
import { Description } from './document.js'
import { element } from './element.js'
import { blocks, inline } from './markdown.js'
import { operationView } from './operation.js'
import { base } from './session.js'

const reference = document.getElementById('reference')

/** The description of the document with the general rules folded, so that the operations are visible. */
function introductionOf ({ title, version, description = '' }) {
  const [opening, ...rest] = description.split('\n\n')
  return element('section', { className: 'introduction' },
    element('h1', {}, title, ' ', element('small', {}, version)),
    element('div', { innerHTML: blocks(opening) }),
    element('p', {}, 'Log in above to send requests. Read the ', element('a', { href: 'guide.html?tutorial.md' }, 'tutorial'), ', the ',
      element('a', { href: 'guide.html?README.md' }, 'guides'), ', or ', element('a', { href: '../openapi.json' }, 'openapi.json'), '.'),
    element('details', {}, element('summary', {}, 'General rules'), element('div', { innerHTML: blocks(rest.join('\n\n')) })))
}

function entryOf (description, operation) {
  const { operationId, method, path, summary = '', deprecated } = operation
  const title = element('summary', {},
    element('span', { className: `method ${method.toLowerCase()}` }, method),
    element('code', { className: 'path' }, path), ' ',
    element('span', { className: 'summary', innerHTML: inline(summary) }),
    ...deprecated === true ? [element('em', {}, ' deprecated')] : [])
  const entry = element('details', { className: 'operation', id: operationId }, title)
  entry.dataset.words = `${method} ${path} ${summary} ${operationId}`.toLowerCase()
  // Made at the event before the toggle, so that the operation opens complete.
  const make = () => { if (entry.children.length === 1) entry.append(operationView(description, operation)) }
  title.addEventListener('click', () => {
    make()
    window.history.replaceState(null, '', `#/${operation.tag}/${operationId}`)
  })
  entry.addEventListener('toggle', make)
  return entry
}

/** Shows the operations whose address or name has all words. */
function filter (text, groups) {
  const words = text.toLowerCase().split(/\s+/)
  for (const group of groups) {
    const entries = [...group.querySelectorAll('.operation')]
    for (const entry of entries) entry.hidden = !words.every(word => entry.dataset.words.includes(word))
    group.hidden = entries.every(entry => entry.hidden)
  }
}

/** Opens the operation or group of the address. */
function follow () {
  const id = window.location.hash.slice(1).split('/').at(-1)
  const target = id === '' ? null : document.getElementById(id)
  if (target === null) return
  if (target.matches('details')) target.open = true
  target.scrollIntoView()
}

try {
  const spec = await (await fetch(new URL('openapi.json', base))).json()
  const description = new Description(spec)
  const groups = spec.tags.map(({ name, description: text = '' }) => {
    const entries = description.operations.filter(({ tag }) => tag === name).map(operation => entryOf(description, operation))
    const heading = element('h2', {}, name, ' ', element('small', {}, text))
    return element('section', { className: 'group', id: `tag-${name}` }, heading, ...entries)
  })
  const search = element('input', { type: 'search', placeholder: 'Find an operation', 'aria-label': 'Find an operation' })
  search.addEventListener('input', () => filter(search.value, groups))
  const links = spec.tags.map(({ name }) => element('a', { href: `#tag-${name}` }, name))
  const index = element('nav', { 'aria-label': 'Groups of operations' }, ...links)
  reference.replaceChildren(index, element('main', {}, introductionOf(spec.info), search, ...groups))
  window.addEventListener('hashchange', follow)
  follow()
} catch (error) {
  reference.innerHTML = '<p class="failed">Cannot load the OpenAPI document: <a href="../openapi.json">openapi.json</a></p>'
  throw error
}
