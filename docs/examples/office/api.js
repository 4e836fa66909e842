/*
 * The connection to the service: the session, errors in words, downloads.
 */
import { createObraClient, failureOf, ObraError } from 'obra-client'
import { notice, onClick } from './dom.js'
import { language, text } from './texts.js'

/** @type {import('obra-client').ObraClient} */
export let obra

/** Tokens outlive the tab, and the tabs share them. */
export const storedTokens = () => JSON.parse(localStorage.getItem('office-tokens')) ?? undefined

/** Id of the user of the tokens. Undefined without tokens. */
export const storedUser = () => createObraClient({ tokens: storedTokens }).user

export const forgetTokens = () => localStorage.removeItem('office-tokens')

/** Connects in the language of the page: the service answers in it. @param {(error: ObraError) => void} onLogout */
export function connect (onLogout) {
  obra = createObraClient({
    language,
    // A user watches. After a longer `Retry-After`, the page says to wait.
    maxWaitSeconds: 10,
    tokens: storedTokens,
    onTokens: tokens => localStorage.setItem('office-tokens', JSON.stringify(tokens)),
    onLogout (error) {
      forgetTokens()
      onLogout(error)
    }
  })
}

/** What went wrong, in the words of the service, and what the user can do. */
export function inWords (error) {
  const failure = failureOf(error)
  if (failure === 'offline' || failure === 'proxy_error') return text(failure)
  if (!(error instanceof ObraError)) return error.message
  const hint = text(error.code)
  return [error.message, ...Object.values(error.errors).flat(), ...hint === error.code ? [] : [hint]].join(' ')
}

/** Downloads an answer as a file. A link cannot: a request has its token in a header. */
export async function download (path, params, type) {
  notice.textContent = ''
  try {
    const { data, error, response } = await obra.GET(path, { params, headers: { accept: type }, parseAs: 'blob' })
    if (!response.ok) throw new ObraError(error, response)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(data)
    link.download = /filename="([^"]+)"/.exec(response.headers.get('content-disposition'))?.[1] ?? ''
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  } catch (error) {
    notice.textContent = inWords(error)
  }
}

/**
 * Makes buttons download lists and reports.
 * @param {Record<string, [path: string, params: object, type?: string]>} sources by the button's name
 */
export function downloads (view, sources) {
  for (const [name, [path, params, type = 'text/csv']] of Object.entries(sources)) {
    const button = view.querySelector(`button[name="${name}"]`)
    button.ariaLabel = `${button.textContent}: ${button.parentElement.firstElementChild.textContent}`
    onClick(button, async () => await download(path, params, type))
  }
}
