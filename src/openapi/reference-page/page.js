/*
 * The reference page: Swagger UI with the service's own document, and a log-in that keeps its tokens in memory. It also uses the tokens of
 * a log-in or refresh executed in the reference. An access token near its expiry is refreshed before the request.
 */
const { SwaggerUIBundle: swagger } = window
const [logInForm, logOutForm, who, notice] = ['log-in', 'log-out', 'who', 'notice'].map(id => document.getElementById(id))
const base = new URL('..', document.baseURI)

/** Seconds before expiry at which an access token is refreshed. */
const margin = 60

const howToLogIn = 'To send requests from this page, **log in** above: with the demo data as `director@demo.example`, ' +
  'password `demo-obra-1`. Then open an operation and press *Execute*.'

/** The description of the document with the log-in first and the general rules folded, so that the operations are visible. */
function introduced (description) {
  const [opening, ...rest] = description.split('\n\n')
  return `${opening}\n\n${howToLogIn}\n\n<details><summary>General rules</summary>\n\n${rest.join('\n\n')}\n\n</details>`
}

let ui
let scheme
let session

const parametersIn = paths => Object.values(paths).flatMap(path => Object.values(path)).flatMap(({ parameters = [] }) => parameters)

/** Empties optional parameters, because Swagger UI would send their examples. */
function startEmpty (parameter) {
  if (parameter.required) return
  for (const part of [parameter, parameter.schema ?? {}]) {
    delete part.example
    delete part.examples
  }
}

const secondsLeft = token => JSON.parse(atob(token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/'))).exp - Date.now() / 1000

async function post (path, body, access) {
  const headers = { 'content-type': 'application/json', ...access === undefined ? {} : { authorization: `Bearer ${access}` } }
  const response = await fetch(new URL(`api/v1/${path}`, base), { method: 'POST', headers, body: JSON.stringify(body) })
  const answer = response.status === 204 ? undefined : await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

function begin ({ access, refresh }, email) {
  session = { access, refresh, email }
  ui.preauthorizeApiKey(scheme, access)
  show()
}

function end () {
  session = undefined
  show()
}

function show (message = '') {
  logInForm.hidden = session !== undefined
  logOutForm.hidden = session === undefined
  who.textContent = session?.email ?? 'Logged in'
  notice.textContent = message
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
      show(error.message)
    } finally {
      button.disabled = false
      // Moves the focus from the hidden form to the visible one.
      if (form.hidden) document.querySelector('header form:not([hidden])').querySelector('input, button').focus()
    }
  })
}

onSubmit(logInForm, async (fields) => {
  const { email, password } = Object.fromEntries(fields)
  begin(await post('api-token-auth/', { email, password }), email)
  logInForm.reset()
})

onSubmit(logOutForm, async () => {
  const { refresh, access } = session
  ui.authActions.logout([scheme])
  await post('api-token-revoke/', { refresh }, access)
})

async function sending (request) {
  const { Authorization: bearer } = request.headers ?? {}
  if (session === undefined || bearer !== `Bearer ${session.access}` || secondsLeft(session.access) > margin) return request
  try {
    begin(await post('api-token-refresh/', { refresh: session.refresh }, session.access), session.email)
    request.headers.Authorization = `Bearer ${session.access}`
  } catch (error) {
    ui.authActions.logout([scheme])
    show(error.message)
  }
  return request
}

function answered (response) {
  const [, call] = /\/api\/v1\/api-token-(auth|refresh)\/?$/.exec(new URL(response.url, base).pathname) ?? []
  // The answer does not name the user. A refresh keeps the present one.
  if (response.ok && call !== undefined) begin(response.body, call === 'refresh' ? session?.email : undefined)
  return response
}

try {
  const spec = await (await fetch(new URL('openapi.json', base))).json()
  // Requests go to the page's own origin, even if PUBLIC_URL differs: the content security policy allows no other.
  spec.servers = [{ url: base.href.replace(/\/$/, '') }]
  spec.info.description = introduced(spec.info.description)
  for (const parameter of [...parametersIn(spec.paths), ...Object.values(spec.components.parameters)]) startEmpty(parameter)
  scheme = Object.entries(spec.components.securitySchemes).find(([, { scheme }]) => scheme === 'bearer')[0]
  ui = swagger({
    spec,
    domNode: document.getElementById('reference'),
    presets: [swagger.presets.apis],
    // A log-out in Swagger UI's dialog also ends the session of the page.
    plugins: [() => ({ statePlugins: { auth: { wrapActions: { logout: original => (names) => { end(); return original(names) } } } } })],
    layout: 'BaseLayout',
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 2,
    filter: true,
    validatorUrl: null,
    requestInterceptor: sending,
    responseInterceptor: answered
  })
} catch (error) {
  const link = '<a href="../openapi.json">openapi.json</a>'
  document.getElementById('reference').innerHTML = `<p class="failed">Cannot load the OpenAPI document: ${link}</p>`
  throw error
}
