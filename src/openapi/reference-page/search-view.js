/*
 * The field of the search and what it found.
 */
import { element } from './element.js'
import { anchorOf, inline } from './markdown.js'
import { Search } from './search.js'

const counted = (number, one, many) => number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]

function listOf (title, links) {
  return links.length === 0 ? [] : [element('h2', {}, title), element('ul', {}, ...links.map(link => element('li', {}, ...link)))]
}

/**
 * @param {import('./document.js').Description} description
 * @param {HTMLElement[]} groups of operations, whose elements have the id of the operation
 * @param {(id: string) => void} open shows an operation
 * @returns {HTMLElement[]} the field, what it found, the groups, and the operations that mention the words
 */
export function searchView (description, groups, open) {
  const search = new Search(description)
  const label = 'Find an operation'
  const input = element('input', { type: 'search', placeholder: 'Find operations, fields and guides', 'aria-label': label })
  const count = element('p', { className: 'text', role: 'status' })
  const guides = element('div', { className: 'found' })
  const others = element('div', { className: 'found' })

  const find = async () => {
    const text = input.value.trim()
    const { named, mentions } = search.operations(text)
    for (const group of groups) {
      const entries = [...group.querySelectorAll('.operation')]
      for (const entry of entries) entry.hidden = !named.has(entry.id)
      group.hidden = entries.every(entry => entry.hidden)
    }
    const links = mentions.map(({ operation, places }) => mentionOf(operation, places, open))
    others.replaceChildren(...listOf('In descriptions and fields', links))
    const pages = text === '' ? [] : await search.guides(text).catch(() => [])
    // Another text was entered during the load.
    if (text !== input.value.trim()) return
    guides.replaceChildren(...listOf('Guides', pages.map(({ page, title, heading }) => {
      const anchor = heading === undefined ? '' : `#${anchorOf(heading)}`
      const html = inline(heading === undefined ? title : `${title}: ${heading}`)
      return [element('a', { href: `guide.html?${page}${anchor}`, innerHTML: html })]
    })))
    const parts = [
      ...counted(named.size, 'operation', 'operations'),
      ...counted(pages.length, 'place in the guides', 'places in the guides'),
      ...counted(mentions.length, 'operation with it in its description or fields', 'operations with it in their description or fields')
    ]
    const found = parts.length === 0 ? `Nothing found for “${text}”. Try fewer or other words.` : `Found: ${parts.join(', ')}.`
    count.textContent = text === '' ? '' : found
  }
  input.addEventListener('input', find)
  return [input, count, guides, ...groups, others]
}

function mentionOf ({ operationId, method, path, tag, summary = '' }, places, open) {
  const link = element('a', { href: `#/${tag}/${operationId}` }, element('code', {}, `${method} ${path}`))
  // The address does not change if it was the last one too.
  link.addEventListener('click', () => open(operationId))
  return [link, ' ', element('span', { innerHTML: inline(summary) }), ' ', element('small', {}, `(${places.join(', ')})`)]
}
