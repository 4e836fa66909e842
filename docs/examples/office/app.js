/*
 * Contracts with their statements of account, progress curves, cover sheets as PDF and lists as CSV: what the reports of the API give, in a
 * page for the office. It only reads. The address after `#` says what it shows.
 */
import { unwrap } from 'obra-client'
import { connect, forgetTokens, inWords, obra, storedUser } from './api.js'
import { contractView } from './contract.js'
import { contractsView } from './contracts.js'
import { copy, fill, notice, onClick, translate } from './dom.js'
import { language, switchLanguage, text } from './texts.js'

const [sessionBar, user, company, logOutButton, languageButton, status, place] =
  ['session', 'user', 'company', 'log-out', 'language', 'status', 'view'].map(id => /** @type {any} */ (document.getElementById(id)))

let present = new AbortController()
/** The user whom the page shows, or undefined for the log-in. @type {number | undefined} */
let shownUser

/** Shows the view of the address. An answer that arrives after the next address is dropped. @param {string} [message] */
async function route (message = '') {
  // Not at the first view: there, the focus is at the beginning of the page.
  const hasMoved = place.querySelector('h1') !== null
  present.abort()
  const { signal } = present = new AbortController()
  document.documentElement.lang = language
  translate(document.querySelector('header'))
  Object.assign(languageButton, { textContent: text('other'), lang: language === 'es' ? 'en' : 'es' })
  notice.textContent = message
  shownUser = storedUser()
  sessionBar.hidden = shownUser === undefined
  status.textContent = sessionBar.hidden ? '' : text('loading')
  const view = await load(signal).catch(error => signal.aborted ? undefined : failureView(inWords(error)))
  if (signal.aborted) return
  status.textContent = ''
  place.replaceChildren(view)
  const heading = view.querySelector('h1')
  document.title = `${heading.textContent} · ${text('title')}`
  if (hasMoved) heading.focus({ preventScroll: true })
}

async function load (signal) {
  if (shownUser === undefined) return logInView()
  leaveAddressOfAnotherUser()
  await drawSession(signal)
  const [path, query] = location.hash.slice(1).split('?')
  const [, name, id] = path.split('/')
  return name === 'contract' ? await contractView(id, place.clientWidth, signal) : await contractsView(new URLSearchParams(query), signal)
}

/** The address can have the words of a search. */
function leaveAddressOfAnotherUser () {
  const last = sessionStorage.getItem('office-user') ?? String(shownUser)
  sessionStorage.setItem('office-user', String(shownUser))
  if (last !== String(shownUser)) history.replaceState(null, '', '#/')
}

/** The user and the active company, which can change at any time. */
async function drawSession (signal) {
  const me = await unwrap(obra.GET('/api/v1/me/', { signal }))
  user.textContent = `${me.nombre}${me.nivel_acceso === null ? '' : `, ${text('level')} ${me.nivel_acceso}`}`
  const options = me.companies.map(({ id, nombre }) => new Option(nombre, String(id), false, id === me.company))
  company.replaceChildren(...me.company === null ? [new Option(text('choose'), '')] : [], ...options)
  company.parentElement.hidden = options.length === 0
}

function logInView () {
  const view = copy('log-in')
  const form = view.querySelector('form')
  form.onsubmit = async (event) => {
    event.preventDefault()
    notice.textContent = ''
    try {
      const { email, password } = /** @type {any} */ (form.elements)
      await obra.logIn({ email: email.value, password: password.value })
      await route()
    } catch (error) {
      notice.textContent = inWords(error)
    }
  }
  return view
}

function failureView (message) {
  const view = copy('failure')
  fill(view, { message })
  view.querySelector('button').onclick = () => route()
  return view
}

const start = () => {
  connect(error => route(`${error.message} ${text('ended')}`))
  route()
}

company.onchange = async () => {
  try {
    await unwrap(obra.PATCH('/api/v1/me/', { body: { company: Number(company.value) } }))
    if (location.hash === '#/') await route()
    else location.hash = '#/'
  } catch (error) {
    notice.textContent = inWords(error)
  }
}

onClick(logOutButton, async () => {
  forgetTokens()
  // Without a connection, the session ends only in this browser.
  await obra.logOut().catch(() => {})
  await route()
})

languageButton.onclick = () => {
  switchLanguage()
  start()
}

addEventListener('hashchange', () => {
  route()
  scrollTo(0, 0)
})
// Another tab has logged in, also as another user, or out. It also stores the next tokens of the same user.
addEventListener('storage', () => { if (storedUser() !== shownUser) location.reload() })
start()
