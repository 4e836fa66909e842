/*
 * The reference and the guides are views of one page. The log-in, the search and the forms stay when a guide is opened, because the page is
 * not left, and the tokens need no storage.
 */
import { guideView, pageOf } from './guide.js'

const [reference, guide] = ['reference', 'guide'].map(id => document.getElementById(id))
const home = new URL('.', document.baseURI)
const guides = new URL('guide.html', home)

/** Scroll positions by view, in pixels. @type {Map<string, number>} */
const positions = new Map()
/** The view in sight: `reference`, or the path of a guide. */
let shown = ''
/** The link that opened the first guide. */
let opener

function viewOf (address) {
  const { origin, pathname } = address
  if (origin === home.origin && pathname === home.pathname) return 'reference'
  return origin === home.origin && pathname === guides.pathname ? pageOf(address) : undefined
}

function scrollToHeading () {
  const { hash } = window.location
  document.getElementById(`guide:${decodeURIComponent(hash.slice(1))}`)?.scrollIntoView()
}

/** Shows the view of the address. @param {number} top its scroll position */
async function show (top) {
  const view = viewOf(window.location)
  const isFirst = shown === ''
  shown = view
  const content = view === 'reference' ? undefined : await guideView(view)
  // Another view was opened during the load.
  if (shown !== view) return
  reference.hidden = content !== undefined
  guide.hidden = content === undefined
  guide.replaceChildren(content ?? '')
  const heading = guide.querySelector('h1')
  document.title = content === undefined ? 'Obra API' : `${heading?.textContent ?? view} · Obra`
  if (!isFirst) {
    heading?.setAttribute('tabindex', '-1')
    const focused = content === undefined ? opener : heading
    focused?.focus({ preventScroll: true })
    window.scrollTo(0, top)
  }
  if (content !== undefined && top === 0) scrollToHeading()
}

function go (url, link) {
  positions.set(shown, window.scrollY)
  if (shown === 'reference') opener = link
  window.history.pushState(null, '', url)
  return show(viewOf(url) === 'reference' ? positions.get('reference') ?? 0 : 0)
}

function onClick (event) {
  const link = event.target.closest('a[href]')
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (link === null || link.download !== '' || hasModifier) return
  const url = new URL(link.href)
  const view = viewOf(url)
  if (view === undefined) {
    // The log-in ends with the page, so other pages get a tab of their own.
    link.target = '_blank'
    link.rel = 'noopener'
  } else if (view !== shown) {
    event.preventDefault()
    go(url, link)
  } else if (url.hash === '') {
    event.preventDefault()
    window.scrollTo(0, 0)
  }
}

/** Shows the view of the address, and from now on those of links and of the history. */
export async function startNavigation () {
  window.history.scrollRestoration = 'manual'
  document.addEventListener('click', onClick)
  window.addEventListener('popstate', () => {
    const view = viewOf(window.location)
    if (view === shown) return
    positions.set(shown, window.scrollY)
    show(positions.get(view) ?? 0)
  })
  window.addEventListener('hashchange', () => { if (shown !== 'reference') scrollToHeading() })
  await show(0)
}
