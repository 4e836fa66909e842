/*
 * A page of the documentation.
 */
import { blocks } from './markdown.js'

const missing = '<h1>Not found</h1><p>There is no such page.</p>'
const failed = '<h1>Cannot load the page</h1><p>Try again.</p>'
const root = new URL('pages/', document.baseURI)

/** The page that an address `guide.html?…` names. Only pages of this server, not of an address that a link can name. */
export function pageOf ({ search }) {
  const asked = search.slice(1) || 'README.md'
  return /^[\w/-]+\.md$/.test(asked) && !asked.startsWith('/') ? asked : 'nothing.md'
}

/** Where a link of a page leads. Files of the source code are not served. */
function hrefOf (address, page) {
  if (/^https?:/.test(address) || address.startsWith('#')) return address
  const { pathname, hash } = new URL(address, new URL(page, root))
  if (!pathname.startsWith(root.pathname)) return undefined
  const path = pathname.slice(root.pathname.length)
  if (path.endsWith('.png')) return `pages/${path}`
  return path.endsWith('.md') ? `guide.html?${path}${hash}` : undefined
}

/** The content of a page. Its headings have ids with a prefix, because the page around it has ids too. */
export async function guideView (page) {
  const view = document.createElement('div')
  const response = await fetch(new URL(page, root)).catch(() => undefined)
  if (response?.ok === true) view.innerHTML = blocks(await response.text(), address => hrefOf(address, page))
  else view.innerHTML = `${response?.status === 404 ? missing : failed}<p>See <a href="guide.html?README.md">all guides</a>.</p>`
  for (const heading of view.querySelectorAll('[id]')) heading.id = `guide:${heading.id}`
  return view
}
