/*
 * The reference page: Swagger UI with the service's own document, and a log-in whose tokens stay in the memory of this page. A log-in or
 * refresh that is tried out in the reference counts as well. The access token is renewed before a request shortly before it expires.
 */
const { SwaggerUIBundle: swagger } = window
const [logInForm, logOutForm, who, status] = ['log-in', 'log-out', 'who', 'status'].map(id => document.getElementById(id))
const base = new URL('..', document.baseURI)

/** Remaining lifetime of an access token, in seconds, at which it is renewed. */
const margin = 60

const howToLogIn = 'To send requests from this page, **log in** above: with the demo data as `director@demo.example`, password `demo-obra-1`. Then open an operation and press *Execute*.'

/** The description with instructions to log in. The conventions of all requests are folded, so that the operations are visible. */
function introduced (description) {
  const [opening, ...rest] = description.split('\n\n')
  return `${opening}\n\n${howToLogIn}\n\n<details><summary>What holds for every request</summary>\n\n${rest.join('\n\n')}\n\n</details>`
}

let ui
let scheme
let session

const parametersIn = paths => Object.values(paths).flatMap(path => Object.values(path)).flatMap(({ parameters = [] }) => parameters)

/** Removes examples of optional parameters, because Swagger UI would send them. */
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
  status.textContent = message
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
      // The focused form is hidden now, so focus the visible one.
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
  // The answer does not name the user. A refresh does not change the user.
  if (response.ok && call !== undefined) begin(response.body, call === 'refresh' ? session?.email : undefined)
  return response
}

try {
  const spec = await (await fetch(new URL('openapi.json', base))).json()
  // Requests go to the origin of the page, even if PUBLIC_URL differs: the content security policy allows no other host.
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
  document.getElementById('reference').innerHTML = '<p class="failed">The document cannot be read: <a href="../openapi.json">openapi.json</a></p>'
  throw error
}
