/*
 * A page of the documentation. The address has its path after `?`.
 */
import { blocks } from './markdown.js'

const place = document.getElementById('guide')
const asked = window.location.search.slice(1) || 'README.md'
/** Only pages of this server, not of an address that a link can name. */
const page = /^[\w/-]+\.md$/.test(asked) && !asked.startsWith('/') ? asked : 'nothing.md'
const root = new URL('pages/', document.baseURI)

/** Where a link of the page leads. Files of the source code are not served. */
function hrefOf (address) {
  if (/^https?:/.test(address) || address.startsWith('#')) return address
  const { pathname, hash } = new URL(address, new URL(page, root))
  if (!pathname.startsWith(root.pathname)) return undefined
  const path = pathname.slice(root.pathname.length)
  if (path.endsWith('.png')) return `pages/${path}`
  return path.endsWith('.md') ? `guide.html?${path}${hash}` : undefined
}

const response = await fetch(new URL(page, root))
if (response.ok) {
  place.innerHTML = blocks(await response.text(), hrefOf)
  document.title = `${place.querySelector('h1')?.textContent ?? page} · Obra`
  document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView()
} else {
  place.innerHTML = '<h1>Not found</h1><p>There is no such page. See <a href="guide.html?README.md">all guides</a>.</p>'
}
