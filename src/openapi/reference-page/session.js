/*
 * The log-in of the page. Its tokens are only in memory. An access token near its expiry is refreshed before the request.
 */
const [logInForm, logOutForm, who, notice] = ['log-in', 'log-out', 'who', 'notice'].map(id => document.getElementById(id))

/** The address below which the service is. */
export const base = new URL('..', document.baseURI)

/** Seconds before expiry at which an access token is refreshed. */
const margin = 60

/** @type {{ access: string, refresh: string, email?: string } | undefined} */
let session

const secondsLeft = token => JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp - Date.now() / 1000

async function post (path, body, access) {
  const headers = { 'content-type': 'application/json', ...access === undefined ? {} : { authorization: `Bearer ${access}` } }
  const response = await fetch(new URL(`api/v1/${path}`, base), { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = response.status === 204 ? undefined : await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

function change (next, message = '') {
  session = next
  logInForm.hidden = session !== undefined
  logOutForm.hidden = session === undefined
  who.textContent = session?.email ?? 'Logged in'
  notice.textContent = message
}

/** The header of a request with the present token. */
export async function authorization () {
  if (session !== undefined && secondsLeft(session.access) <= margin) {
    try {
      change({ ...await post('api-token-refresh/', { refresh: session.refresh }, session.access), email: session.email })
    } catch (error) {
      change(undefined, error.message)
    }
  }
  return session === undefined ? {} : { authorization: `Bearer ${session.access}` }
}

/** Takes the tokens of a log-in or refresh in the reference. The answer does not name the user. A refresh keeps the present one. */
export function takeTokens (url, body) {
  const [, call] = /\/api\/v1\/api-token-(auth|refresh)\/?$/.exec(new URL(url).pathname) ?? []
  if (call !== undefined) change({ access: body.access, refresh: body.refresh, email: call === 'refresh' ? session?.email : undefined })
}

/** Runs the work of a form, one submit at a time, and shows its error. */
function onSubmit (form, work) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = form.querySelector('button')
    button.disabled = true
    try {
      await work(new FormData(form))
    } catch (error) {
      notice.textContent = error.message
    } finally {
      button.disabled = false
      // Moves the focus from the hidden form to the visible one.
      if (form.hidden) document.querySelector('header form:not([hidden])').querySelector('input, button').focus()
    }
  })
}

onSubmit(logInForm, async (fields) => {
  const { email, password } = Object.fromEntries(fields)
  change({ ...await post('api-token-auth/', { email, password }), email })
  logInForm.reset()
})

onSubmit(logOutForm, async () => {
  const { refresh, access } = session
  change(undefined)
  await post('api-token-revoke/', { refresh }, access)
})
