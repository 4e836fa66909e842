/*
 * The reference page: the operations of the OpenAPI document, and forms that send their requests with the log-in of the page. Only the
 * names of operations are made at the start, everything else when it is opened. Guides are another view of the page.
 */
import { Description } from './document.js'
import { element } from './element.js'
import { blocks, inline } from './markdown.js'
import { startNavigation } from './navigation.js'
import { operationView } from './operation.js'
import { searchView } from './search-view.js'
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
  // Made at the event before the toggle, so that the operation opens complete.
  const make = () => { if (entry.children.length === 1) entry.append(operationView(description, operation)) }
  title.addEventListener('click', () => {
    make()
    window.history.replaceState(null, '', `#/${operation.tag}/${operationId}`)
  })
  entry.addEventListener('toggle', make)
  return entry
}

/** Opens an operation or group, also one that the search has hidden. */
function open (id) {
  const target = reference.querySelector(`#${window.CSS.escape(id)}`)
  if (target === null) return
  target.hidden = false
  target.closest('.group').hidden = false
  if (target.matches('details')) target.open = true
  target.scrollIntoView()
}

/** Opens the operation or group of the address. */
function follow () {
  const id = window.location.hash.slice(1).split('/').at(-1)
  if (id !== '' && !reference.hidden) open(id)
}

const navigation = startNavigation()
try {
  const spec = await (await fetch(new URL('openapi.json', base))).json()
  const description = new Description(spec)
  const groups = spec.tags.map(({ name, description: text = '' }) => {
    const entries = description.operations.filter(({ tag }) => tag === name).map(operation => entryOf(description, operation))
    const heading = element('h2', {}, name, ' ', element('small', {}, text))
    return element('section', { className: 'group', id: `tag-${name}` }, heading, ...entries)
  })
  const links = spec.tags.map(({ name }) => element('a', { href: `#tag-${name}` }, name))
  const index = element('nav', { 'aria-label': 'Groups of operations' }, ...links)
  reference.replaceChildren(index, element('main', {}, introductionOf(spec.info), ...searchView(description, groups, open)))
  window.addEventListener('hashchange', follow)
  await navigation
  follow()
} catch (error) {
  reference.innerHTML = '<p class="failed">Cannot load the OpenAPI document: <a href="../openapi.json">openapi.json</a></p>'
  throw error
}
